import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** A compose deployment, isolated from others on this machine. */
export type Project = ReturnType<typeof openProject>

/** Options of a project. */
export interface ProjectOptions {
  /** The compose project name. */
  readonly name: string
  /** Compose files, relative to the repository. */
  readonly files: readonly string[]
  /** Variables of the compose files. */
  readonly variables: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, '../..')

/** Whether a Docker engine with compose is available. */
export const dockerAnswers = (): boolean =>
  [['info'], ['compose', 'version']].every((args) => spawnSync('docker', args, { stdio: 'ignore' }).status === 0)

/** Runs `docker <args>` and returns its output. @throws Error if it fails */
export const docker = (...args: string[]): string => dockerWith(process.env, args)

function dockerWith(env: NodeJS.ProcessEnv, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('docker', args, { cwd: root, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`docker ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout.trim()
}

/** Opens nothing yet. */
export function openProject({ name, files, variables }: ProjectOptions) {
  const prefix = ['compose', '--project-name', name, ...files.flatMap((file) => ['--file', join(root, file)])]
  const env = { ...process.env, ...variables }
  const compose = (...args: string[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = spawn('docker', [...prefix, ...args], { cwd: root, env, stdio: 'inherit' })
      child.once('error', reject)
      child.once('exit', (code) => {
        if (code === 0) resolve()
        else reject(new Error(`docker compose ${args.join(' ')} ended with ${code}`))
      })
    })
  const ask = (...args: string[]): string => dockerWith(env, [...prefix, ...args])
  return {
    /** `docker compose <args>` with its output shown. @throws Error if it fails */
    compose,
    /** Runs a command in a container of a service, and returns its output. @throws Error if it fails */
    inside: (service: string, ...command: string[]): string => ask('exec', '-T', service, ...command),
    /** Ids of a service's running containers. */
    containers: (service: string): readonly string[] => ask('ps', '--quiet', service).split('\n').filter(Boolean),
    /** Stops everything and removes volumes; images stay as a build cache. */
    remove: (): Promise<void> => compose('down', '--volumes', '--remove-orphans', '--timeout', '20'),
  }
}

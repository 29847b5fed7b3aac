import { spawnSync } from 'node:child_process'

/** How programs of PostgreSQL are started, which refuses to run as root. */
export interface ServerUser {
  /** The owner its files must have; undefined when it runs as the user we are. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined
  /** The command line that runs `program` as that user. */
  command(
    program: string,
    args: readonly string[],
  ): {
    readonly file: string
    readonly args: readonly string[]
    readonly ids: { readonly uid?: number; readonly gid?: number }
  }
}

const userName = 'postgres'

/**
 * Chooses the user to run PostgreSQL as: ourselves, or as root the system's user `postgres`, made when it is missing.
 * When that user cannot reach `paths` because a folder above them is closed to it, it is given the right to pass, where the system can.
 * @throws with what to do when none of this works
 */
export function chooseServerUser(paths: readonly string[]): ServerUser {
  if (process.getuid?.() !== 0) return { owner: undefined, command: (file, args) => ({ file, args, ids: {} }) }
  const owner = findUser() ?? makeUser()
  if (paths.every((path) => isReachable(path, owner))) {
    return { owner, command: (file, args) => ({ file, args, ids: owner }) }
  }
  // The files stay the user's own; the capability only lets it through folders that belong to root. Without the secure bit the kernel
  // would leave the capability out when PostgreSQL asks whether it may execute itself.
  const passing = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  const flags = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups', ...passing]
  const user: ServerUser = {
    owner,
    command: (program, args) => ({ file: 'setpriv', args: [...flags, '--', program, ...args], ids: {} }),
  }
  const probe = user.command('test', ['-x', paths[0] ?? '/'])
  if (spawnSync(probe.file, probe.args).status === 0) return user
  throw new Error(
    `The user ${userName} cannot reach ${paths.join(' or ')}: start Parley as an ordinary user, ` +
      'or from a folder that other users may enter',
  )
}

function findUser(): { uid: number; gid: number } | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, userName], { encoding: 'utf8' }).stdout?.trim())
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

function makeUser(): { uid: number; gid: number } {
  const problems = [
    spawnSync('groupadd', ['--system', userName], { encoding: 'utf8' }),
    spawnSync('useradd', ['--system', '--no-create-home', '--gid', userName, userName], { encoding: 'utf8' }),
  ].map(({ stderr, error }) => stderr?.trim() || error?.message)
  const made = findUser()
  if (made !== undefined) return made
  throw new Error(
    `PostgreSQL does not run as root, and the user ${userName} could not be made (${problems.filter(Boolean).join('; ')}): ` +
      'start Parley as an ordinary user',
  )
}

const isReachable = (path: string, owner: { uid: number; gid: number }): boolean =>
  spawnSync('test', ['-x', path], owner).status === 0

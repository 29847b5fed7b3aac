import { spawnSync } from 'node:child_process'

/** The command lines of the programs of PostgreSQL that run on a cluster in `folder`. */
export function postgresIn(folder: string): string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'args', '-ww'], { encoding: 'utf8' })
  // Guards name the folder, too.
  return stdout.split('\n').filter((line) => line.includes(folder) && !line.includes('/bin/sh'))
}

import { z } from 'zod'
import own from '../../package.json' with { type: 'json' }

/** The manifest of a backup, written as its last file: a backup without it is incomplete. */
export const manifestSchema = z.object({
  format: z.literal(1),
  /** The version of Parley that wrote it. */
  parley: z.string(),
  /** The major version of PostgreSQL of its files. */
  postgres: z.string(),
  /** ISO 8601. */
  startedAt: z.string(),
  /** SHA-256 of each file, in hex. */
  files: z.record(z.string(), z.string()),
})
export type Manifest = z.infer<typeof manifestSchema>

/** The manifest's path in the backup. */
export const manifestPath = 'parley-backup.json'

/** The version of this Parley. */
export const parleyVersion = own.version

/** An invalid backup or request; shown without a stack trace. */
export class BackupError extends Error {
  readonly code = 'BACKUP'
}

/** Why this Parley cannot restore a backup; undefined if it can. @param own its version and PostgreSQL's major version */
export function refusalOf(manifest: Manifest, own: { readonly parley: string; readonly postgres: string }) {
  if (isNewer(manifest.parley, own.parley))
    return `it was made by Parley ${manifest.parley}, and this is ${own.parley}: restore it with that version or a newer one`
  if (manifest.postgres !== own.postgres)
    return `it holds files of PostgreSQL ${manifest.postgres}, but this Parley ships PostgreSQL ${own.postgres}: restore it with the version of Parley that made it (${manifest.parley})`
  return undefined
}

const numbersOf = (version: string): number[] => version.split(/[.-]/, 3).map(Number)

function isNewer(version: string, than: string): boolean {
  const [ours, theirs] = [numbersOf(than), numbersOf(version)]
  const differing = theirs.findIndex((number, place) => number !== ours[place])
  return differing >= 0 && (theirs[differing] ?? 0) > (ours[differing] ?? 0)
}

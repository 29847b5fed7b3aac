import { z } from 'zod'
import own from '../../package.json' with { type: 'json' }

/** What a backup says of itself, as its last file: one without it was not finished. */
export const manifestSchema = z.object({
  format: z.literal(1),
  /** Of the Parley that wrote it. */
  parley: z.string(),
  /** Major version of the PostgreSQL whose files it has. */
  postgres: z.string(),
  /** ISO 8601. */
  startedAt: z.string(),
  /** SHA-256 of each file, in hexadecimal digits. */
  files: z.record(z.string(), z.string()),
})
export type Manifest = z.infer<typeof manifestSchema>

/** Its path in the backup. */
export const manifestPath = 'parley-backup.json'

/** Of this Parley. */
export const parleyVersion = own.version

/** What is wrong with a backup or with what was asked of one; shown without a stack. */
export class BackupError extends Error {
  readonly code = 'BACKUP'
}

/** Why this Parley cannot open a backup; undefined when it can. @param postgres major version that it runs */
export function refusalOf(manifest: Manifest, own: { readonly parley: string; readonly postgres: string }) {
  if (isNewer(manifest.parley, own.parley))
    return `it was made by Parley ${manifest.parley}, and this is ${own.parley}: restore it with that version or a newer one`
  if (manifest.postgres !== own.postgres)
    return `it holds files of PostgreSQL ${manifest.postgres}, and this Parley brings ${own.postgres}: restore it with the version of Parley that made it (${manifest.parley})`
  return undefined
}

const numbersOf = (version: string): number[] => version.split(/[.-]/, 3).map(Number)

function isNewer(version: string, than: string): boolean {
  const [ours, theirs] = [numbersOf(than), numbersOf(version)]
  const differing = theirs.findIndex((number, place) => number !== ours[place])
  return differing >= 0 && (theirs[differing] ?? 0) > (ours[differing] ?? 0)
}

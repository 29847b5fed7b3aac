/** Whether a stream's row comes after another one, by their ids, which have the form `<number>-<number>`. */
export function isAfter(id: string, other: string): boolean {
  const [major = 0, minor = 0] = id.split('-').map(Number)
  const [otherMajor = 0, otherMinor = 0] = other.split('-').map(Number)
  return major === otherMajor ? minor > otherMinor : major > otherMajor
}

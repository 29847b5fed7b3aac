/** Key prefix of data that belong to one user, such as drafts and guest threads; all of it is removed at sign-out. */
export const privatePrefix = 'private:'

/** The used methods of `localStorage` and `sessionStorage`. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Guarded access to a storage. Even reading the property may throw where storage is forbidden. */
export const guardStorage = (storage: () => TextStorage) => ({
  /** Reads a stored text; null when it is absent or storage is forbidden. */
  read: (key: string): string | null => {
    try {
      return storage().getItem(key)
    } catch {
      return null
    }
  },
  /** Stores a text, or removes the key for null. Full or forbidden storage is not an error: the page works without it. */
  write: (key: string, value: string | null): void => {
    try {
      if (value === null) storage().removeItem(key)
      else storage().setItem(key, value)
    } catch {
      // Documented: nothing is stored.
    }
  },
})

/** Local storage, shared by all tabs. */
export const { read: readLocal, write: writeLocal } = guardStorage(() => localStorage)
/** Session storage, per tab. */
export const { read: readTab, write: writeTab } = guardStorage(() => sessionStorage)

/** Parses stored JSON; null when malformed. */
export function parseStored(raw: string | null): unknown {
  if (raw === null) return null
  try {
    return JSON.parse(raw) as unknown
  } catch {
    return null
  }
}

/** Removes everything stored under `privatePrefix`, in this browser and in this tab. */
export function clearPrivate(): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) if (key.startsWith(privatePrefix)) storage.removeItem(key)
    }
  } catch {
    // Forbidden storage holds nothing to clear.
  }
}

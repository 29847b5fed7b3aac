/** Key prefix of what belongs to one person, drafts and guest threads for instance; all of it goes when they sign out. */
export const privatePrefix = 'private:'

/** Where texts are kept; `localStorage` and `sessionStorage` are such. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Reading and writing one storage, which may be forbidden already when it is named. */
export const guardStorage = (storage: () => TextStorage) => ({
  /** Reads a stored text; null when absent or when storage is forbidden. */
  read: (key: string): string | null => {
    try {
      return storage().getItem(key)
    } catch {
      return null
    }
  },
  /** Stores a text, or removes the key when the value is null. Full or forbidden storage is no error: the page works without. */
  write: (key: string, value: string | null): void => {
    try {
      if (value === null) storage().removeItem(key)
      else storage().setItem(key, value)
    } catch {
      // Nothing stored is the documented outcome.
    }
  },
})

/** What this browser keeps. */
export const { read: readLocal, write: writeLocal } = guardStorage(() => localStorage)
/** What this tab keeps, until it is closed. */
export const { read: readTab, write: writeTab } = guardStorage(() => sessionStorage)

/** Parses stored JSON; null for anything malformed. */
export function parseStored(raw: string | null): unknown {
  if (raw === null) return null
  try {
    return JSON.parse(raw) as unknown
  } catch {
    return null
  }
}

/** Removes everything that was stored under `privatePrefix`, in this browser and in this tab. */
export function clearPrivate(): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) if (key.startsWith(privatePrefix)) storage.removeItem(key)
    }
  } catch {
    // Forbidden storage holds nothing to clear.
  }
}

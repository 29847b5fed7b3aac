import type { ChatStores } from '../src/store/index.ts'

/** Stores of a replica that reaches none of what keeps its answers its own while `isCutOff` says so, as one that died, and that never ends the answers of others. */
export function cutOffStores(stores: ChatStores, isCutOff: () => boolean): ChatStores {
  const { generations, abandoned } = stores
  const unless = async <T>(act: () => Promise<T>): Promise<T> => {
    if (isCutOff()) throw new Error('The store cannot be reached')
    return await act()
  }
  return {
    ...stores,
    generations: {
      ...generations,
      checkpoint: (...args) => unless(() => generations.checkpoint(...args)),
      finish: (...args) => unless(() => generations.finish(...args)),
    },
    abandoned: {
      ...abandoned,
      keepAlive: (...args) => unless(() => abandoned.keepAlive(...args)),
      takeOver: async () => undefined,
    },
  }
}

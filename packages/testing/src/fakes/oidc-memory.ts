import type { Adapter, AdapterPayload } from 'oidc-provider'

/** In-memory storage of an OpenID provider; entries expire by their own date only. */
export function createOidcMemory(): (model: string) => Adapter {
  const kept = new Map<string, AdapterPayload>()
  return (model) => {
    const keyOf = (id: string): string => `${model}:${id}`
    const findBy = async (field: 'uid' | 'userCode', value: string): Promise<AdapterPayload | undefined> =>
      [...kept].find(([key, payload]) => key.startsWith(keyOf('')) && payload[field] === value)?.[1]
    return {
      upsert: async (id, payload) => void kept.set(keyOf(id), payload),
      find: async (id) => kept.get(keyOf(id)),
      findByUid: (uid) => findBy('uid', uid),
      findByUserCode: (userCode) => findBy('userCode', userCode),
      destroy: async (id) => void kept.delete(keyOf(id)),
      async consume(id) {
        const payload = kept.get(keyOf(id))
        if (payload !== undefined) kept.set(keyOf(id), { ...payload, consumed: Math.floor(Date.now() / 1000) })
      },
      async revokeByGrantId(grantId) {
        for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key)
      },
    }
  }
}

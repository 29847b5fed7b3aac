import { authRoutes } from '@parley/contracts'
import { callPath, type Finding, reasonOf } from '@parley/kit'

const limitMs = 9_000

/** Checks whether Parley answers at its public address as seen from this process; its network may block what users can reach. */
export async function examineAddress(publicUrl: string): Promise<Finding[]> {
  const what = 'address'
  const url = publicUrl.replace(/\/$/, '') + callPath(authRoutes.config)
  const advice =
    'check PUBLIC_URL, the proxy in front, and whether Parley is running; users may reach it even if this process, inside a cluster, cannot'
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(limitMs), redirect: 'manual' })
    if (status !== 200) return [{ what, state: 'notice', found: `${url} responds with ${status}`, advice }]
  } catch (error) {
    return [{ what, state: 'notice', found: `${url} does not respond (${reasonOf(error)})`, advice }]
  }
  return [
    { what, state: 'fine', found: `${publicUrl} responds` },
    {
      what: 'streams',
      state: 'notice',
      found: 'only a browser can test whether a proxy in front buffers them',
      advice: 'as an admin, open Health and test the event stream',
    },
  ]
}

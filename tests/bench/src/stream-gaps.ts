import type { Target } from './processes/load-process.ts'

/** Milliseconds between the pieces of streamed answers, with all targets at once. @throws Error when one is refused */
export async function readGaps(targets: readonly Target[]): Promise<number[]> {
  return (await Promise.all(targets.map(gapsOf))).flat()
}

async function gapsOf({ url, headers, body }: Target): Promise<number[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok || response.body === null) throw new Error(`status ${response.status} of a chat`)
  const gaps: number[] = []
  let last: number | undefined
  for await (const _piece of response.body) {
    const now = performance.now()
    if (last !== undefined) gaps.push(now - last)
    last = now
  }
  return gaps
}

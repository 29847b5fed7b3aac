import { afterEach, expect, it, vi } from 'vitest'
import { givenStorage } from '../../testing/given-storage.ts'
import { apiFetch } from './http.ts'
import { readApiOrigin } from './origin.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  readApiOrigin()
})

/** Replaces the servers of the page and the API; returns the URLs that a call requested. */
async function addressesOfACall(config: () => Response): Promise<string[]> {
  const called: string[] = []
  givenStorage()
  vi.stubGlobal('fetch', async (url: string) => {
    called.push(url)
    return url === '/config.json' ? config() : Response.json({})
  })
  readApiOrigin()
  await apiFetch('/models')
  return called
}

it('calls go to the configured origin', async () => {
  const called = await addressesOfACall(() => Response.json({ apiUrl: 'https://api.example.org/' }))
  expect(called).toEqual(['/config.json', 'https://api.example.org/api/models'])
})

it('calls to another origin have no header that it would have to allow first', async () => {
  let headers = new Headers()
  givenStorage()
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url === '/config.json') return Response.json({ apiUrl: 'https://api.example.org' })
    headers = new Headers(init.headers)
    return Response.json({})
  })
  readApiOrigin()
  await apiFetch('/models')
  expect(headers.has('traceparent')).toBe(false)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed to fetch')))
  await expect(apiFetch('/models')).rejects.toMatchObject({ code: 'network', requestId: null })
})

it.each([
  ['names none', () => Response.json({ apiUrl: '' })],
  ['is missing', () => new Response('<!doctype html>', { status: 404 })],
  ['is nonsense', () => Response.json({ apiUrl: 7 })],
])('calls go to the page’s own origin when the configuration %s', async (_, config) => {
  expect(await addressesOfACall(config)).toEqual(['/config.json', '/api/models'])
})

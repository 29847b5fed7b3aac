import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HttpListener } from '@parley/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWebServer } from '../src/web-server.ts'

describe('the server of the SPA', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-web-'))
  let web: HttpListener
  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), '<!doctype html>the page')
    writeFileSync(join(folder, 'assets/app-1a2b.js'), 'let app')
    web = await startWebServer(folder, 'http://localhost:1')
  })
  afterAll(async () => {
    await web.close(0)
    rmSync(folder, { recursive: true })
  })
  const get = (path: string) => fetch(web.url + path, { headers: { accept: 'text/html' } })

  it.each(['/', '/c/1', '/login'])(
    'answers %s with the page, revalidated by caches, under the strict policy',
    async (path) => {
      const answer = await get(path)
      const { headers } = answer
      expect(await answer.text()).toContain('the page')
      expect(headers.get('cache-control')).toMatch(/no-(cache|store)/)
      expect(headers.get('content-security-policy')).toContain("default-src 'self'")
      expect(headers.has('x-powered-by')).toBe(false)
    },
  )

  it('lets hashed files be cached forever, and answers missing ones with 404', async () => {
    expect((await get('/assets/app-1a2b.js')).headers.get('cache-control')).toContain('immutable')
    expect((await get('/assets/app-3c4d.js')).status).toBe(404)
  })

  it('has no API', async () => {
    const answer = await fetch(`${web.url}/api/chat`, { method: 'POST' })
    expect(answer.status).toBe(404)
  })
})

import { extname, join } from 'node:path'
import express, { type RequestHandler, type Response, Router } from 'express'

type FileOptions = NonNullable<Parameters<typeof express.static>[1]>

const year = 365 * 24 * 60 * 60 * 1000
/** Encodings in which the build stores files, the smallest first, with their file extensions. */
const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const

/** Serves the SPA's build: hashed files as immutable, the rest revalidated, and the page for every path of the application. */
export function serveWebApp(folder: string): RequestHandler {
  const revalidate = (response: Response) => void response.setHeader('cache-control', 'no-cache')
  const files = serveFiles(folder, { index: false, cacheControl: false, setHeaders: revalidate, dotfiles: 'ignore' })
  const router = Router()
  router.use('/assets', serveFiles(join(folder, 'assets'), { immutable: true, maxAge: year, fallthrough: false }))
  router.use(files)
  router.get('/{*path}', (request, response, next) => {
    if (!request.accepts('html') || /\.\w+$/.test(request.path)) {
      next()
      return
    }
    request.url = '/index.html'
    files(request, response, next)
  })
  return router
}

/** Serves the files of a folder, precompressed where the client accepts the encoding and the file exists. */
function serveFiles(folder: string, options: FileOptions): RequestHandler {
  const plain = express.static(folder, options)
  const compressed = encodings.map(({ name, ending }) => {
    const setHeaders: FileOptions['setHeaders'] = (response, path, stat) => {
      options.setHeaders?.(response, path, stat)
      response.type(extname(path.slice(0, -ending.length)))
      response.setHeader('content-encoding', name)
    }
    const serve = express.static(folder, { ...options, setHeaders, fallthrough: true, redirect: false })
    return { name, ending, serve }
  })
  return (request, response, next) => {
    const { url } = request
    const pass = (error?: unknown): void => {
      if (error !== undefined) forgetFile(response)
      next(error)
    }
    response.vary('accept-encoding')
    const best = compressed.find(({ name }) => request.acceptsEncodings(name))
    if (best === undefined) {
      plain(request, response, pass)
      return
    }
    request.url = `${url.split('?', 1)[0]}${best.ending}`
    best.serve(request, response, (error) => {
      request.url = url
      if (error === undefined) plain(request, response, pass)
      else pass(error)
    })
  }
}

/** A refusal, such as of a range beyond the file, has its own body and is not cached. */
function forgetFile(response: Response): void {
  for (const name of ['content-encoding', 'content-type', 'cache-control', 'etag', 'last-modified', 'accept-ranges']) {
    response.removeHeader(name)
  }
}

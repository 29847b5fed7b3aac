import { chatRoutes } from '@parley/contracts'
import { mount, unavailable } from '@parley/kit'
import type { IRouter } from 'express'
import { userOf } from '../callers.ts'
import type { Parts } from '../parts.ts'
import { readIdempotencyKey } from '../sending/send-request.ts'

export interface ImageRoutesDeps extends Parts {
  /** True once the service drains: it begins no image then. */
  readonly draining: () => boolean
}

/** Making images. */
export function addImageRoutes(router: IRouter, { images, draining }: ImageRoutesDeps): void {
  mount(router, chatRoutes.image, async ({ principal, requestId, body, headers }) => {
    if (draining()) throw unavailable()
    const key = readIdempotencyKey(headers['idempotency-key'])
    const request = { ...body, prompt: body.prompt.trim() }
    return { body: await images.make({ ...userOf(principal), requestId }, request, key) }
  })
}

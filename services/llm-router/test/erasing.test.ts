import { modelAdminRoutes } from '@parley/contracts'
import { anonymousId, newId } from '@parley/kit'
import { adminPrincipal, testEvent } from '@parley/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GivenRouter, givenRouter } from './given-router.ts'

let router: GivenRouter
beforeAll(async () => {
  router = await givenRouter()
})
afterAll(() => router.stop())

async function erased(userId: string): Promise<void> {
  const erasureId = newId()
  await router.bus.publish([testEvent('auth.user-deleted', userId, { userId, erasureId })])
  await expect.poll(() => router.erasures.told).toContain(`llm-router ${erasureId}`)
}

it('a deleted admin’s changes are anonymised, including those that finish later', async () => {
  const gone = adminPrincipal({ userId: newId() })
  await router.model({ id: 'theirs' })
  await router.model({ id: 'of-another' })
  const rename = (id: string, name: string) =>
    router.as(gone).call(modelAdminRoutes.update, { params: { id }, body: { name } })
  await rename('theirs', 'Before')
  await erased(gone.userId)
  await erased(gone.userId)
  const editors = async () => {
    const { models } = (await router.admin.call(modelAdminRoutes.list)).body
    return models.filter(({ id }) => ['theirs', 'of-another'].includes(id)).map(({ id, updatedBy }) => [id, updatedBy])
  }
  const name = anonymousId(gone.userId)
  expect(await editors()).toEqual([
    ['theirs', name],
    ['of-another', 'admin-1'],
  ])
  const late = await rename('theirs', 'After')
  expect(late.body.model).toMatchObject({ name: 'After', updatedBy: name })
})

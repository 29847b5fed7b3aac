import { modelDefaults } from '@parley/contracts'
import { adminAct } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelFields, ModelStore } from './model-store.ts'

/** An engine with a registry of its own. */
export interface ModelStoreEngine {
  readonly models: ModelStore
  close(): Promise<void>
}

const fields = (parts: Partial<ModelFields> = {}): ModelFields => ({
  ...structuredClone(modelDefaults),
  name: 'A model',
  provider: 'xai',
  group: 'Test',
  ...parts,
})

/** Tests all guarantees of the registry on one engine. */
export function modelStoreContract(name: string, open: () => Promise<ModelStoreEngine>): void {
  describe(`model store on ${name}`, () => {
    let engine: ModelStoreEngine
    const models = () => engine.models
    beforeAll(async () => {
      engine = await open()
    })
    afterAll(() => engine.close())

    it('lists models in the order in which they were added, with all stored fields', async () => {
      const given = fields({
        customHeaders: [{ name: 'x-a', value: 'é"\\' }],
        fallbackModels: ['v3'],
        temperature: 0.7,
      })
      await models().add('order-b', given, adminAct())
      await models().add('order-a', fields(), adminAct())
      const ids = (await models().list()).map((model) => model.id)
      expect(ids.slice(-2)).toEqual(['order-b', 'order-a'])
      expect(await models().find('order-b')).toMatchObject({ ...given, id: 'order-b', updatedBy: 'admin' })
      expect(await models().find('nobody')).toBeUndefined()
    })

    it('adds one model when several callers add the same id concurrently', async () => {
      const added = await Promise.all(
        Array.from({ length: 20 }, (_, index) => models().add('same', fields({ name: `${index}` }), adminAct())),
      )
      const winners = added.filter((model) => model !== undefined)
      expect(winners).toHaveLength(1)
      expect(await models().find('same')).toEqual(winners[0])
    })

    it('updates the given fields only, even during concurrent updates of others', async () => {
      await models().add('shared', fields(), adminAct())
      await Promise.all([
        models().change('shared', { name: 'Renamed' }, adminAct()),
        models().change('shared', { creditsPerMessage: 7 }, adminAct()),
        models().change('shared', { customHeaders: [{ name: 'x-b', value: 'c' }] }, adminAct()),
      ])
      expect(await models().find('shared')).toMatchObject({
        name: 'Renamed',
        creditsPerMessage: 7,
        customHeaders: [{ name: 'x-b', value: 'c' }],
        group: 'Test',
      })
      expect(await models().change('nobody', { name: 'x' }, adminAct())).toBeUndefined()
    })

    it('increments the version with each admin act, and refuses an outdated one with the current model', async () => {
      await models().add('versioned', fields(), adminAct())
      const changed = await models().change('versioned', { name: 'Two' }, adminAct(), 1)
      expect(changed).toMatchObject({ outcome: 'changed', model: { version: 2 } })
      const late = await models().change('versioned', { name: 'Late' }, adminAct(), 1)
      expect(late).toMatchObject({ outcome: 'conflict', model: { name: 'Two', version: 2 } })
      await models().recordAnswer('versioned', 1, { inputTokens: 1, outputTokens: 1 })
      await models().toggle(false, 'xai', adminAct())
      await models().toggle(true, 'xai', adminAct())
      expect(await models().find('versioned')).toMatchObject({ version: 4 })
    })

    it('undoes a change once, including header values, and only while nothing has changed since', async () => {
      const given = fields({ customHeaders: [{ name: 'x-a', value: 'old' }] })
      await models().add('undone', given, adminAct())
      const act = adminAct()
      await models().change('undone', { customHeaders: [{ name: 'x-a', value: 'new' }], temperature: 0.3 }, act)
      await models().change('undone', { name: 'Beside' }, adminAct())
      const undo = (undone = false) =>
        models().undo('model.changed', { ...adminAct(), undoes: act.eventId, undone }, async () => undefined)
      const told = await undo()
      expect(JSON.stringify(told)).not.toMatch(/old|new/)
      expect(told).toMatchObject({ target: 'undone', before: { temperature: 0.3 }, after: { temperature: 1 } })
      expect(await models().find('undone')).toMatchObject({ ...given, name: 'Beside', version: 4 })
      await expect(undo()).rejects.toMatchObject({ code: 'conflict', current: { id: 'undone' } })
      await models().change('undone', { customHeaders: [{ name: 'x-a', value: 'new' }], temperature: 0.3 }, adminAct())
      const refused = { code: 'conflict', message: 'This has already been undone.', current: { id: 'undone' } }
      for (const undone of [false, true]) await expect(undo(undone)).rejects.toMatchObject(refused)
      await models().remove('undone', adminAct())
      await expect(undo()).rejects.toMatchObject({ code: 'conflict', current: null })
    })

    it('undoes nothing when the resulting model is refused', async () => {
      await models().add('checked', fields(), adminAct())
      const act = adminAct()
      await models().change('checked', { name: 'Other' }, act)
      const refuse = async (_id: string, { name }: ModelFields) => {
        throw new Error(name)
      }
      const undoing = models().undo('model.changed', { ...adminAct(), undoes: act.eventId }, refuse)
      await expect(undoing).rejects.toThrow('A model')
      expect(await models().find('checked')).toMatchObject({ name: 'Other', version: 2 })
    })

    it('removes a model once, also from the fallbacks of others', async () => {
      await models().add('gone', fields(), adminAct())
      await models().add('leans', fields({ fallbackModels: ['v3', 'gone'] }), adminAct())
      const removed = await Promise.all([models().remove('gone', adminAct()), models().remove('gone', adminAct())])
      expect(removed.sort()).toEqual([false, true])
      expect((await models().find('leans'))?.fallbackModels).toEqual(['v3'])
    })

    it('toggles a provider or all', async () => {
      const enabled = async () =>
        new Set((await models().list()).filter((one) => one.enabled).map((one) => one.provider))
      await models().toggle(false, 'xai', adminAct())
      expect([(await enabled()).has('xai'), (await enabled()).has('openai')]).toEqual([false, true])
      const all = await models().toggle(false, undefined, adminAct())
      expect(all.some((model) => model.enabled)).toBe(false)
      expect((await models().toggle(true, undefined, adminAct())).every((model) => model.enabled)).toBe(true)
    })

    it('includes each of 50 concurrent answers in the average', async () => {
      await models().add('used', fields(), adminAct())
      const usage = { inputTokens: 3, outputTokens: 2 }
      await Promise.all(Array.from({ length: 50 }, (_, index) => models().recordAnswer('used', index * 2, usage)))
      expect((await models().find('used'))?.usage).toEqual({
        totalRequests: 50,
        averageResponseMs: 49,
        lastUsed: expect.any(String),
      })
      await models().recordAnswer('nobody', 1, usage)
    })
  })
}

import { newId } from '@parley/kit'
import { describe, expect, it } from 'vitest'
import type { SnapshotMessage } from '../../src/store/documents.ts'
import type { NewLink, ShareStore } from '../../src/store/share-store.ts'

const link = (parts: Partial<NewLink> = {}): NewLink => ({
  id: newId(),
  shareId: newId(),
  ownerId: newId(),
  snapshotId: newId(),
  title: 'A title',
  description: 'A description',
  model: 'v3',
  pages: 2,
  sharedAt: new Date('2026-01-01T10:00:00Z'),
  expiresAt: null,
  passwordHash: null,
  ...parts,
})
const said = (content: string): SnapshotMessage => ({
  role: 'user',
  content,
  images: [{ id: '0_x', fileId: 'f', mimeType: 'image/png', width: 4 }],
  createdAt: '2026-01-01T10:00:00.000Z',
})
const pages = [[said('First')], [said('Second')]]

/** The contract suite of ShareStore, run on one engine. @param given the stores of two replicas */
export function shareStoreContract(
  engine: string,
  given: () => { readonly one: ShareStore; readonly two: ShareStore },
): void {
  describe(`links on ${engine}`, () => {
    it('a new link is found by its id on another replica, page by page', async () => {
      const { one, two } = given()
      const made = link({ expiresAt: new Date('2027-01-01T10:00:00Z'), passwordHash: 'a hash' })
      expect(await one.share(made, pages)).toMatchObject({ isNew: true, link: { views: 0, goneSince: null } })
      expect(await two.find(made.shareId)).toMatchObject(made)
      expect((await two.page(made.snapshotId, 1))?.messages).toEqual([said('Second')])
      expect(await two.page(made.snapshotId, 2)).toBeUndefined()
      expect(await two.find(made.shareId.toUpperCase().replace(/^./, 'x'))).toBeUndefined()
    })

    it('sharing a chat again keeps the id and views of its link, and replaces the snapshot', async () => {
      const { one, two } = given()
      const first = link()
      await one.share(first, pages)
      await two.countView({ id: first.id, shareId: first.shareId })
      const second = link({ id: first.id, ownerId: first.ownerId, title: 'Another', pages: 1 })
      const renewed = await two.share(second, [[said('New')]])
      expect(renewed).toMatchObject({ isNew: false, link: { shareId: first.shareId, title: 'Another', views: 1 } })
      expect(await one.find(second.shareId)).toBeUndefined()
      expect(await one.page(first.snapshotId, 0)).toBeUndefined()
      expect((await one.page(second.snapshotId, 0))?.messages).toEqual([said('New')])
    })

    it('sharing a chat again with a model whose name is not known drops the former name, and no field of a newer version', async () => {
      const { one, two } = given()
      const first = { ...link({ modelName: 'DeepSeek v3' }), later: 'kept' }
      await one.share(first, pages)
      expect(await two.find(first.shareId)).toMatchObject({ model: 'v3', modelName: 'DeepSeek v3' })
      await two.share(link({ id: first.id, ownerId: first.ownerId, model: 'v4' }), pages)
      const shown = await one.find(first.shareId)
      expect(shown).toMatchObject({ model: 'v4', later: 'kept' })
      expect(shown?.modelName).toBeUndefined()
    })

    it('sharing a chat many times concurrently creates one link with one snapshot', async () => {
      const { one, two } = given()
      const id = newId()
      const ownerId = newId()
      const links = Array.from({ length: 8 }, () => link({ id, ownerId }))
      const shared = await Promise.all(links.map((each, nth) => [one, two][nth % 2]?.share(each, pages)))
      const ids = new Set(shared.map((each) => (each === 'erased' ? '' : each?.link.shareId)))
      expect(ids.size).toBe(1)
      expect(shared.filter((each) => each !== 'erased' && each?.isNew)).toHaveLength(1)
      const kept = await Promise.all(links.map(({ snapshotId }) => one.page(snapshotId, 0)))
      expect(kept.filter(Boolean)).toHaveLength(1)
    })

    it('concurrent views on all replicas are each counted once, and none of a revoked link', async () => {
      const { one, two } = given()
      const made = link()
      await one.share(made, pages)
      await Promise.all(Array.from({ length: 20 }, (_none, nth) => [one, two][nth % 2]?.countView(made)))
      expect((await two.find(made.shareId))?.views).toBe(20)
      expect(await one.revoke(made)).toBe(true)
      expect(await two.revoke(made)).toBe(false)
      await two.countView(made)
      expect(await one.find(made.shareId)).toBeUndefined()
      expect(await one.page(made.snapshotId, 0)).toBeUndefined()
      // Its chat may be shared again meanwhile.
      const later = link({ id: made.id, ownerId: made.ownerId })
      await one.share(later, pages)
      await two.countView(made)
      await two.noteGone(made, new Date())
      expect(await one.find(later.shareId)).toMatchObject({ views: 0, goneSince: null })
    })

    it("an owner's links are listed in pages, latest first, and revoked all at once", async () => {
      const { one, two } = given()
      const ownerId = newId()
      const other = link()
      const links = [1, 2, 3].map((day) => link({ ownerId, sharedAt: new Date(`2026-01-0${day}T10:00:00Z`) }))
      for (const each of [...links, other]) await one.share(each, pages)
      const first = await two.list(ownerId, 2)
      const rest = await two.list(ownerId, 2, first[1])
      expect([...first, ...rest].map(({ id }) => id)).toEqual(links.map(({ id }) => id).reverse())
      expect(await two.listOfChat(ownerId, links[0]?.id ?? '')).toMatchObject([{ shareId: links[0]?.shareId }])
      expect(await two.listOfChat(ownerId, other.id)).toEqual([])
      expect(await two.listOfChat(ownerId, newId())).toEqual([])
      expect(await two.revokeAll(ownerId)).toBe(3)
      expect(await one.list(ownerId, 10)).toEqual([])
      expect(await one.find(other.shareId)).toBeDefined()
    })

    it('a link that is shared while all links of its owner are revoked is whole, or gone', async () => {
      const { one, two } = given()
      const ownerId = newId()
      const parts = Array.from({ length: 20 }, (_none, nth) => [said(`Page ${nth}`)])
      for (let round = 0; round < 5; round += 1) {
        const made = link({ ownerId, pages: parts.length })
        await Promise.all([one.share(made, parts), two.revokeAll(ownerId)])
        const found = await one.find(made.shareId)
        const shown = await Promise.all(parts.map((_none, nth) => two.page(made.snapshotId, nth)))
        expect(shown.filter(Boolean)).toHaveLength(found === undefined ? 0 : parts.length)
      }
    })

    it('only an old snapshot that no link shows is removed', async () => {
      const { one, two } = given()
      const [kept, revoked] = [link(), link()]
      await one.share(kept, pages)
      await one.share(revoked, pages)
      // The state after a crash: the link is gone, its pages are not.
      await two.revokeAll('nobody')
      await one.revoke({ shareId: revoked.shareId, snapshotId: 'another' })
      await two.removeUnlinked(kept.sharedAt)
      expect(await one.page(revoked.snapshotId, 0)).toBeDefined()
      await two.removeUnlinked(new Date('2026-01-02T00:00:00Z'))
      expect(await one.page(revoked.snapshotId, 0)).toBeUndefined()
      expect(await one.page(kept.snapshotId, 1)).toBeDefined()
    })

    it('an erasure leaves nothing of an owner, not even a link created concurrently', async () => {
      const { one, two } = given()
      const first = link()
      await one.share(first, pages)
      await one.erase(first.ownerId)
      const late = link({ ownerId: first.ownerId })
      expect(await two.share(late, pages)).toBe('erased')
      for (const { shareId, snapshotId } of [first, late]) {
        expect(await two.find(shareId)).toBeUndefined()
        expect(await two.page(snapshotId, 0)).toBeUndefined()
      }
      await two.erase(first.ownerId)
    })
  })
}

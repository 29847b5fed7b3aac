import { type AuditEntry, auditEntrySchema, auditRoutes } from '@parley/contracts'
import { actingUser, answerList, type Logger, listed, mount } from '@parley/kit'
import type { IRouter } from 'express'
import { namesIn } from '../administration/audit-names.ts'
import { type UndoParts, undo } from '../administration/undo.ts'
import { presentAudit } from '../present.ts'

/** Admins read who changed what, and take it back. */
export function addAdminAuditRoutes(router: IRouter, parts: UndoParts & { readonly log: Logger }): void {
  mount(router, auditRoutes.list, async ({ query, requestId }) => {
    const { from, to } = query
    const filter = {
      ...query,
      from: from === undefined ? undefined : new Date(from),
      until: to === undefined ? undefined : endOf(to),
    }
    const answer = await answerList<'entries', AuditEntry>(query, {
      name: 'entries',
      row: auditEntrySchema,
      async list(page) {
        const { rows, next } = listed(await parts.stores.audit.list(page, filter), page)
        return { rows: rows.map(presentAudit), next }
      },
    })
    if ('csv' in answer) return answer
    return { body: { ...answer.body, names: await namesIn({ ...parts, requestId }, answer.body.entries) } }
  })
  mount(router, auditRoutes.undo, async ({ principal, requestId, params }) => ({
    body: { entry: presentAudit(await undo(parts, { ...actingUser(principal), requestId }, params.id)) },
  }))
}

const dayMs = 86_400_000
/** The end of a period: after the whole of a day, or at a time. */
const endOf = (to: string): Date => (to.includes('T') ? new Date(to) : new Date(new Date(to).getTime() + dayMs))

import { type AuditEntry, auditEntrySchema, auditRoutes } from '@parley/contracts'
import { actingUser, answerList, listed, mount, readSpan } from '@parley/kit'
import type { IRouter } from 'express'
import { namesIn } from '../administration/audit-names.ts'
import { undo } from '../administration/undo.ts'
import type { AuthParts } from '../parts.ts'
import { presentAudit } from '../present.ts'

/** Admins read who changed what, and take it back. */
export function addAdminAuditRoutes(router: IRouter, parts: AuthParts): void {
  mount(router, auditRoutes.list, async ({ query, requestId }) => {
    const filter = { ...query, ...readSpan(query) }
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

import { z } from 'zod'
import { liveAnswerSchema } from './chats.ts'
import { messageSchema } from './messages.ts'
import { idParamsSchema, idSchema } from './primitives.ts'
import { defineRoute } from './route.ts'

const service = 'chat'

/** Internal routes of chat for realtime and memory. */
export const chatInternalRoutes = {
  live: defineRoute({
    method: 'GET',
    path: '/internal/chats/:id/live',
    service,
    access: 'service',
    summary: "State of a chat; 404 if it is not this user's",
    params: idParamsSchema,
    query: z.object({ userId: idSchema }),
    answer: z.object({
      lastMessageId: z.string().nullable(),
      generating: liveAnswerSchema.optional(),
    }),
  }),
  message: defineRoute({
    method: 'GET',
    path: '/internal/chats/:id/messages/:messageId',
    service,
    access: 'service',
    summary: 'One message, for its owner',
    params: z.object({ id: idSchema, messageId: idSchema }),
    query: z.object({ userId: idSchema }),
    answer: messageSchema,
  }),
  question: defineRoute({
    method: 'GET',
    path: '/internal/chats/:id/answers/:messageId/question',
    service,
    access: 'service',
    summary: "The user's message that was answered, without attachments, and whether memory is on in the chat",
    params: z.object({ id: idSchema, messageId: idSchema }),
    query: z.object({ userId: idSchema }),
    answer: z.object({ messageId: z.string(), content: z.string(), memoryEnabled: z.boolean() }),
  }),
}

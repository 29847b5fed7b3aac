import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { routesFor } from '../route.ts'
import { liveAnswerSchema } from './chats.ts'
import { messageSchema } from './messages.ts'

const internal = routesFor('chat', 'service')

/** Internal routes of chat for realtime and memory. */
export const chatInternalRoutes = {
  live: internal.get('/internal/chats/:id/live', {
    summary: "State of a chat; 404 if it is not this user's",
    query: z.object({ userId: idSchema }),
    answer: z.object({
      lastMessageId: z.string().nullable(),
      generating: liveAnswerSchema.optional(),
    }),
  }),
  message: internal.get('/internal/chats/:id/messages/:messageId', {
    summary: 'One message, for its owner',
    params: z.object({ id: idSchema, messageId: idSchema }),
    query: z.object({ userId: idSchema }),
    answer: messageSchema,
  }),
  question: internal.get('/internal/chats/:id/answers/:messageId/question', {
    summary: "The user's message that was answered, without attachments, and whether memory is on in the chat",
    params: z.object({ id: idSchema, messageId: idSchema }),
    query: z.object({ userId: idSchema }),
    answer: z.object({ messageId: z.string(), content: z.string(), memoryEnabled: z.boolean() }),
  }),
}

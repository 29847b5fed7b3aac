import type {
  DetectionPattern,
  Memory,
  MemoryCategory,
  MemoryProfile,
  MemorySettings,
  MemorySuggestion,
} from '@parley/contracts'
import { memoryCategories } from '@parley/contracts'
import type { Page } from 'playwright-core'
import { intercept } from '../intercept.ts'
import { answers } from '../people.ts'
import type { World } from '../world.ts'
import { answerWith, regular, type Scene } from './scene.ts'

const time = '2026-01-15T10:00:00.000Z'
const source = { chatId: 'c1', messageId: 'm1' }

const memory = (id: string, text: string, category: MemoryCategory, fields: Partial<Memory> = {}): Memory => ({
  id,
  text,
  category,
  confidence: 'high',
  status: 'stored',
  createdAt: time,
  updatedAt: time,
  lastUsedAt: null,
  ...fields,
})

const someMemories: Memory[] = [
  memory('1', 'I prefer short answers with one example, and no introduction.', 'preferences', { lastUsedAt: time }),
  memory('2', 'I work as a structural engineer in Munich.', 'professional', { source, confidence: 'medium' }),
  memory(
    '3',
    'When I ask about heat pumps I mean an uninsulated house of 140 m² from 1962 with radiators that need 55 °C, a gas boiler from 1998, a roof that faces south by south-west, and a cellar with room for a tank of three hundred litres but not for more than that, whatever the offers say.',
    'technical',
    { source },
  ),
  memory('4', 'أفضّل الإجابات القصيرة', 'preference'),
]
const suggestion = (id: string, text: string, fields: Partial<MemorySuggestion> = {}): MemorySuggestion => ({
  ...memory(id, text, 'personal', { status: 'pending', source, confidence: 'medium' }),
  reason: 'You wrote “I am”, which says something about you.',
  ...fields,
})
const someSuggestions: MemorySuggestion[] = [
  suggestion('s1', 'I am allergic to peanuts', { category: 'health', confidence: 'high' }),
  suggestion('s2', 'I live in Munich and work there as a structural engineer', {
    reason: 'Two memories say much the same.',
    merges: ['2', '5'],
  }),
]
const pattern = (id: string, fields: Partial<DetectionPattern> = {}): DetectionPattern => ({
  id,
  name: 'Preferences',
  pattern: '\\bI (?:really )?prefer\\b',
  category: 'preferences',
  enabled: true,
  builtIn: true,
  ...fields,
})
const settings: MemorySettings = {
  enabled: true,
  autoDetection: true,
  semanticMemory: false,
  autoConsolidation: false,
  confidenceThreshold: 'medium',
  detectionPatterns: [
    pattern('b1'),
    pattern('b2', { name: 'Names', pattern: 'my name is', category: 'personal', enabled: false }),
    pattern('o1', { name: 'Pets', pattern: 'my (cat|dog) is called', category: 'personal', builtIn: false }),
  ],
  categoryPreferences: Object.fromEntries(memoryCategories.map((name) => [name, name !== 'demo'])) as Record<
    MemoryCategory,
    boolean
  >,
}
const profile: MemoryProfile = {
  accuracy: 0.82,
  learningLevel: 'intermediate',
  suggestions: { seen: 34, approved: 23, rejected: 5 },
  approvalRate: 0.68,
  topKeywords: [
    { word: 'heat', count: 14 },
    { word: 'short', count: 9 },
    { word: 'Munich', count: 4 },
  ],
  recentActivity: [
    { at: time, action: 'approved', text: 'I prefer short answers with one example, and no introduction.' },
    { at: time, action: 'dismissed', text: 'I am tired today' },
  ],
  recommendations: [
    { id: 'raise-threshold', text: 'You dismiss many suggestions of low confidence: raise the threshold to high.' },
  ],
}

const page = (items: readonly unknown[]) => ({ items, nextCursor: null })

async function answerAll(shown: Page, memories: readonly Memory[] = someMemories): Promise<void> {
  await answerWith(shown, '/memory?*', 200, { items: memories, nextCursor: memories.length > 0 ? 'more' : null })
  await answerWith(shown, '/memory/suggestions?*', 200, page(memories.length > 0 ? someSuggestions : []))
  await answerWith(shown, '/memory/settings', 200, settings)
  await answerWith(shown, '/memory/profile', 200, profile)
}

async function openMemories(shown: Page): Promise<void> {
  await answerAll(shown)
  await shown.goto('/profile/memory')
  await shown.getByText('structural engineer in Munich').waitFor()
}

/** A chat whose answer used two memories and suggested one. */
async function openAnswer(shown: Page, { showcaseId }: World): Promise<void> {
  await answerAll(shown)
  await intercept(shown, `/chat/history/${showcaseId}*`, async ({ fetch }) => {
    const { status, json } = await fetch()
    const chat = json as { messages: { id: string; role: string }[] }
    const [question] = chat.messages
    const used = someMemories.slice(0, 2).map(({ id, text }) => ({ id, text }))
    const messages = chat.messages.map((one) => (one.role === 'assistant' ? { ...one, memoriesUsed: used } : one))
    await answerWith(
      shown,
      '/memory/suggestions?*',
      200,
      page(someSuggestions.map((one) => ({ ...one, source: { chatId: showcaseId, messageId: question?.id } }))),
    )
    return { status, json: { ...chat, messages } }
  })
  await shown.goto(`/c/${showcaseId}`)
  await answers(shown).getByRole('button', { name: 'Memory updated' }).waitFor()
}

/** Memory in the settings and in a chat. */
export const memories: Scene[] = [
  regular('memory-none', async (shown) => {
    await answerAll(shown, [])
    await shown.goto('/profile/memory')
    await shown.getByText('No memories yet').waitFor()
  }),
  regular('memory', async (shown) => {
    await openMemories(shown)
    await shown.getByRole('checkbox', { name: 'I prefer short answers' }).check()
    await shown.getByRole('button', { name: 'Options for “I work as' }).click()
    await shown.getByRole('menuitem', { name: 'Delete permanently' }).waitFor()
  }),
  regular('memory-edit', { continues: 'memory' }, async (shown) => {
    await shown.keyboard.press('Escape')
    await shown.getByRole('button', { name: 'Options for “I prefer' }).click()
    await shown.getByRole('menuitem', { name: 'Edit' }).click()
    await shown.getByRole('textbox', { name: 'What to remember' }).fill('x'.repeat(2_001))
    await shown.getByText('1 character too long').waitFor()
  }),
  regular('memory-suggestions', async (shown) => {
    await openMemories(shown)
    await shown.getByRole('tab', { name: 'Suggestions' }).click()
    await shown.getByText('Replaces 2 memories.').waitFor()
  }),
  regular('memory-learning', { continues: 'memory-suggestions' }, async (shown) => {
    await shown.getByRole('tab', { name: 'Learning' }).click()
    await shown.getByRole('img', { name: 'Accuracy: 82%' }).waitFor()
  }),
  regular('memory-settings', { continues: 'memory-learning' }, async (shown) => {
    await shown.getByRole('tab', { name: 'Settings' }).click()
    await shown.getByText(/^Built-in patterns/).click()
    await shown.getByRole('button', { name: 'Add pattern' }).click()
    await shown.getByRole('button', { name: 'Save', exact: true }).click()
    await shown.getByText('Enter a pattern').waitFor()
  }),
  regular('memory-answer', async (shown, world) => {
    await openAnswer(shown, world)
    await shown.getByRole('button', { name: '2 memories used' }).click()
    await shown.getByRole('button', { name: 'Forget “I work as' }).waitFor()
  }),
  regular('memory-panel', { continues: 'memory-answer' }, async (shown) => {
    await shown.keyboard.press('Escape')
    await shown.getByRole('button', { name: 'Memory updated' }).click()
    await shown.getByRole('dialog').getByText('I am allergic to peanuts').waitFor()
  }),
]

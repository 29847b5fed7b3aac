import { onEngine } from '@parley/testing/test-engines'
import { givenChatEngine, openPgEngine } from './chat-engines.ts'
import { chatStoresContract } from './store-contracts.ts'

onEngine('postgres', () => chatStoresContract('PostgreSQL', givenChatEngine(openPgEngine)))

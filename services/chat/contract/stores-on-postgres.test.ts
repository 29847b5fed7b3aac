import { onEngine } from '@parley/testing/test-engines'
import { givenChatEngine, openPgEngine } from './chat-engines.ts'
import { chatStoresContract } from './suites/index.ts'

onEngine('postgres', () => chatStoresContract('PostgreSQL', givenChatEngine(openPgEngine)))

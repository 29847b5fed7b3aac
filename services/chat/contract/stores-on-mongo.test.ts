import { onEngine } from '@parley/testing/test-engines'
import { givenChatEngine, openMongoEngine } from './chat-engines.ts'
import { chatStoresContract } from './suites/index.ts'

onEngine('mongo', () => chatStoresContract('MongoDB', givenChatEngine(openMongoEngine)))

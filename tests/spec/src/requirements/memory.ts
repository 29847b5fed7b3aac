/** What is remembered of users, and how it is used. */
export const memoryRequirements = {
  Memory: {
    'memory.fields':
      'A memory has a text, one of 15 categories, a confidence, a status, a source, its times and when it was last used.',
    'memory.stored':
      'Memories can be listed, searched, edited with a history, removed, cleared and restored for 30 days, or forgotten permanently.',
    'memory.imported':
      'Exported memories can be imported again, idempotently, with faulty entries named, and without deleted ones unless requested.',
    'memory.once':
      'The same text is remembered once, even if it is added concurrently; a user has at most 5,000 memories.',
    'memory.suggested':
      'Suggestions from a user’s text have a source, confidence and reason, and wait until they are approved or dismissed, singly or all at once.',
    'memory.found':
      'The patterns find memorable facts in seven languages with a precision of 0.9 and a recall of 0.7, and no secrets, quotes or injections.',
    'memory.own-words': 'Only a user’s own text is read: no answer, tool result, attachment or pasted text.',
    'memory.settings':
      'Settings turn memory, detection, semantic memory, consolidation, patterns and categories on and off, and have a threshold.',
    'memory.patterns': 'Custom patterns run in linear time; others are refused at their field.',
    'memory.semantic':
      'Semantic memory makes one call to the cheapest model per answer, free of charge, and is off without a provider.',
    'memory.meaning':
      'With semantic memory on and an embedding model, a memory is found even if it shares no word with the message; without either, or while the model hangs, words and recency decide.',
    'memory.vectors':
      'A memory’s vector follows its text when that is edited, removed, cleared or erased, and is not exported.',
    'memory.consolidation': 'Consolidation suggests merges and never merges by itself.',
    'memory.profile':
      'The learning profile has its numbers, keywords, activity, and recommendations that follow from them by rules.',
    'memory.used':
      'Memories relevant to a message are in its prompt as data, at most 1,000 tokens, and are named before the first content.',
    'memory.chat-off': 'Memory can be turned off for a chat.',
    'memory.away': 'While memory is unavailable or hangs, answers are made without it.',
    'memory.foreign': 'No other user can read or change a user’s memories, or gets answers based on them.',
    'memory.data': 'Data export and erasure include memories.',
  },
} as const

/** What is remembered of users, and how it is used. */
export const memoryRequirements = {
  Memory: {
    'memory.fields':
      'A memory has a text, one of 15 categories, a confidence, a status, a source, its times and when it was last used.',
    'memory.stored':
      'Memories can be listed, searched, edited with a history, removed, cleared and restored for 30 days, or forgotten for good.',
    'memory.imported':
      'Exported memories can be imported again, once however often, faulty entries named, and nothing that was deleted unless that is asked for.',
    'memory.once': 'The same text is remembered once, whoever adds it at once; a user has at most 5,000 memories.',
    'memory.suggested':
      'What a user wrote is suggested with source, confidence and reason, and waits until it is approved or dismissed, singly or all at once.',
    'memory.found':
      'The patterns find what is worth remembering in seven languages with a precision of 0.9 and a recall of 0.7, and no secret, quote or injection.',
    'memory.own-words': 'Only a user’s own words are read: no answer, no tool’s result, no attachment, no pasted text.',
    'memory.settings':
      'Settings turn memory, detection, semantic memory, consolidation, patterns and categories on and off, and have a threshold.',
    'memory.patterns': 'Own patterns take linear time; what does not is refused at its field.',
    'memory.semantic':
      'Semantic memory is one call of the cheapest model for an answer, charged to nobody, and off without a provider.',
    'memory.meaning':
      'With semantic memory on and a model for embeddings, a memory is found that shares no word with the message; without either, or while the model hangs, words and time decide.',
    'memory.vectors': 'The vector of a memory goes with its text: edited, removed, cleared, erased, in no export.',
    'memory.consolidation': 'Consolidation suggests merges and makes none by itself.',
    'memory.profile':
      'The learning profile has its numbers, keywords, activity, and recommendations that follow from them by rules.',
    'memory.used':
      'Memories that belong with a message are in its prompt as data, at most 1,000 tokens, and named before the first content.',
    'memory.chat-off': 'Memory can be turned off for a chat.',
    'memory.away': 'While memory is away or hangs, answers are made without it.',
    'memory.foreign': 'Nobody else reads, changes or is answered with a user’s memories.',
    'memory.data': 'Data export and erasure include memories.',
  },
} as const

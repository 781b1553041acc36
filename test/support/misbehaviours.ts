import type { Misbehaviour } from '../peers/modelApi/misbehaviour'

/** What the service of a model does, by the name that tables and tests have for it. */
export const misbehaviours: Readonly<Record<string, Misbehaviour>> = {
  '401': { status: 401, words: 'The key is not valid.' },
  '403': { status: 403, words: 'The key may not use this model.' },
  '429, with its time': { status: 429, words: 'Too many requests. Please retry in 30s.', retryAfter: 30 },
  '429, with words': { status: 429, words: 'You exceeded your current quota.' },
  '429, bare': { status: 429 },
  '500': { status: 500, words: 'Internal error.' },
  '503': { status: 503, words: 'The service is unavailable.' },
  '529': { status: 529, words: 'Overloaded' },
  'cut in the stream': 'cut',
  'no answer at all': 'nothing',
  'half of its JSON': 'halfJson',
  'silent for 3 s': { silence: 3 },
}

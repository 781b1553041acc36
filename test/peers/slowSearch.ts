/** Says when it searches and what came of it: `node … slowSearch.ts WORKER LIMIT`. */
import { RegexMatcher } from '../../src-main/regex/matcher'

const [, , workerPath = '', limit = ''] = process.argv
const matcher = new RegexMatcher(workerPath, Number(limit))
await matcher.match('a', '', 'a')
process.stdout.write('searching\n')
// Takes about a quarter of a second: each letter more doubles it.
const found = await matcher.match('^(a+)+$', '', `${'a'.repeat(23)}!`).catch((error: unknown) => String(error))
process.stdout.write(found === null ? 'no match\n' : `${JSON.stringify(found)}\n`)
await matcher.close()

import { z } from 'zod'
import { MAX_PRICES, priceSchema, type Price } from '@shared/contract/agents'
import { expectationOf } from '@shared/contract/describeIssues'
import { at, plain, type Located } from '../../formats/text/located'
import { parseLocatedYaml } from '../../formats/text/locatedYaml'
import { StateText } from '../../formats/text/stateFile'

export type PricesRead = { readonly prices: readonly Price[] } | { readonly problem: string }

const listSchema = z.array(priceSchema).max(MAX_PRICES)

/** A fault reads `prices.yaml:3: input has to be a number.` */
export function readPrices(file: string, source: string): PricesRead {
  const text = new StateText(file, source)
  const { root, findings } = parseLocatedYaml(text)
  const [finding] = findings
  if (finding) return { problem: `${file}:${finding.line}: expected ${finding.expected}.` }
  if (!root || (root.kind === 'scalar' && root.value === null)) return { prices: [] }
  const { data, error } = listSchema.safeParse(plain(root))
  if (data) return { prices: data }
  const [issue] = error.issues
  const path = issue?.path ?? []
  const { line } = text.lines.place(nearest(root, path).start)
  return { problem: `${file}:${line}: ${issue ? wrongWith(issue) : 'it is no list of prices'}.` }
}

function wrongWith(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `there is no “${issue.keys[0]?.slice(0, 60)}” in a price`
  const name = issue.path.at(-1)
  return `${typeof name === 'string' ? name : 'this'} has to be ${expectationOf(issue)}`
}

function nearest(root: Located, path: readonly PropertyKey[]): Located {
  let here = root
  for (const step of path) here = (typeof step === 'symbol' ? undefined : at(here, step)) ?? here
  return here
}

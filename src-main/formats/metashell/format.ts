import type { RunDetails } from '@shared/contract/runDetails'
import { fromOffers } from '../edit/offer'
import type { Format } from '../format'
import { offers } from './actions/actions'
import { read, type MetaShellDetails } from './read'
import { detect, named } from './detect'
import { validate } from './validate'

/** Meta-Shell, specification 000: `.meta/context.md`, `.meta/session.json` and the agents' artefacts. */
export const metashell: Format<MetaShellDetails> = {
  name: 'metashell',
  detect,
  named,
  read,
  tell,
  validate,
  ...fromOffers(offers),
}

function tell({ variables, artefacts, ...details }: MetaShellDetails): RunDetails {
  const words = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  return {
    system: 'metashell',
    ...details,
    variables: variables.map(({ value, ...variable }) => ({ ...variable, value: words(value) })),
    artefacts: artefacts.map(({ value, ...artefact }) => ({ ...artefact, value: words(value) })),
  }
}

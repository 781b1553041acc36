import type { Format } from '../format'
import { actions, plan } from './patch'
import { read, type MetaShellDetails } from './read'
import { detect, named } from './state'
import { validate } from './validate'

/** Meta-Shell, specification 000: `.meta/context.md`, `.meta/session.json` and the agents' artefacts. */
export const metashell: Format<MetaShellDetails> = { name: 'metashell', detect, named, read, validate, actions, plan }

/** The contract's names without its schemas. The build runs this module and puts the lists into the preload, which starts sooner so. */
import { commands, events } from './contract'

export const pageCommandNames: readonly string[] = Object.entries(commands)
  .filter(([, { page }]) => page)
  .map(([name]) => name)

export const eventNames: readonly string[] = Object.keys(events)

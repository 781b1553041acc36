/** The contract's names without its schemas, put into the preload by the build so that it starts sooner. */
import { commands, events } from './contract'

export const pageCommandNames: readonly string[] = Object.entries(commands)
  .filter(([, { page }]) => page)
  .map(([name]) => name)

export const eventNames: readonly string[] = Object.keys(events)

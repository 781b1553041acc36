import { dirname, join } from 'node:path'
import type { EventName, Payload } from '@shared/contract/contract'
import { noteDataVersion, requireKnownData } from '../files/dataVersion'
import { makePrivateFolder, restrictTree } from '../files/privateFiles'
import { guardDatabase } from './guardDatabase'
import { ValueSearches } from '../machine/valueSearches'
import { Notebooks } from '../notes/notebooks'
import { provideSample } from '../projects/sampleProject'
import {
  createBuilds,
  createSteering,
  createMachineParts,
  createProjectParts,
  createQuarantine,
  createRegexMatcher,
  createTaskParts,
  openStores,
  type BridgeOptions,
  type Emit,
} from './bridgeParts'
import { author } from './author'
import { createHandlers } from './handlers'
import { openSteeredLine } from '../steering/handlers'
import type { Bridge } from './serve'

export type { BridgeOptions } from './bridgeParts'
export { DataFolderGone } from '../storage/ownDatabase'

/** ms in which the window and its first machine have the processor to themselves. */
const BEGIN_DELAY_MS = 1_000

export interface OwnBridge extends Bridge {
  readonly isBusy: boolean
  noteEnd(error: unknown): void
}

export function createBridge(options: BridgeOptions): OwnBridge {
  const { dataFolder, resources, workerPath, lifetime, log } = options
  requireKnownData(dataFolder)
  makePrivateFolder(dataFolder)
  const listeners = new Set<<Name extends EventName>(event: Name, payload: Payload<Name>) => void>()
  const emit: Emit = (event, payload) => {
    for (const listener of listeners) {
      try {
        listener(event, payload)
      } catch (error) {
        log(`${event} could not be sent`, error)
      }
    }
  }
  const stores = openStores(dataFolder)
  noteDataVersion(dataFolder)
  const { database, settings } = stores
  const quarantine = createQuarantine(options, stores, emit)
  const context = { options, stores, emit, quarantine }
  const regex = createRegexMatcher(workerPath)
  const { catalog, passwords, machines, programs, labels, boundCheckpoints, checkpoints, standInRom } =
    createMachineParts(context)
  const values = new ValueSearches({
    live: (machine) => machines.live(machine),
    onChanged: (machine) => emit('values.changed', { machine }),
  })
  const { agents, prices, projects, loops, notices } = createProjectParts(context, { regex })
  const { recorder, recordings, snapshots, tasks } = createTaskParts(context, { machines, regex, notices, standInRom })
  const builds = createBuilds(context, { agents, projects, programs })
  const steering = createSteering(context, { machines, values, catalog, recorder, notices })
  const notebooks = new Notebooks({
    watches: lifetime !== 'call',
    onChanged: () => emit('notes.changed', {}),
    log,
  })
  boundCheckpoints.trustedRoots = () => builds.trustedRoots()
  const begin = () => {
    tasks.begin().catch((error: unknown) => log('The tasks could not be loaded', error))
    try {
      loops.begin()
    } catch (error) {
      log('The loops that ran before could not be looked for', error)
    }
    projects.begin().catch((error: unknown) => log('The projects could not be opened again', error))
    agents.begin().catch((error: unknown) => log('The agents that ran before could not be looked for', error))
  }
  const beginning = lifetime === 'window' ? setTimeout(begin, BEGIN_DELAY_MS) : undefined
  // Version 0.1 left files open to other users, and Chromium and Node create some that are.
  const restricting =
    lifetime === 'call'
      ? undefined
      : restrictTree(dataFolder).catch((error: unknown) => log('The data folder could not be made private', error))
  const guard = guardDatabase(database, options, emit)
  settings.onChange((changed) => emit('settings.changed', changed))

  return {
    handlers: createHandlers({
      machines,
      programs,
      values,
      snapshots,
      labels,
      standInRom,
      builds,
      checkpoints,
      settings,
      sheets: stores.sheets,
      tasks,
      catalog,
      passwords,
      recorder,
      recordings,
      projects,
      loops,
      agents,
      prices,
      steering,
      notebooks,
      author,
      quarantine,
      database,
      dataPlaces: { folder: dataFolder, tasks: tasks.home },
      emit,
      openFolders: () => projects.list().projects.flatMap(({ state, place }) => (state === 'open' ? [place] : [])),
      provideSample: () =>
        provideSample(join(dirname(resources), 'sample-project'), join(dataFolder, 'sample-project')),
      onSettingsAsked: guard.begin,
      out: dirname(dirname(resources)),
      lifetime,
      background: options.background,
    }),
    get isBusy() {
      return tasks.live.length > 0 || agents.live.length > 0 || loops.isRunning
    },
    noteEnd: (error) => quarantine.noteEnd(error),
    frames: machines,
    audio: machines,
    openSteeredLine: () => openSteeredLine(steering),
    log,
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    fallAsleep: () => machines.fallAsleep(),
    wakeUp: () => void machines.wakeUp(),
    async close() {
      clearTimeout(beginning)
      guard.close()
      steering.close()
      await restricting
      const steps: readonly (() => unknown)[] = [
        // Started first, as an agent that a loop waits for has little time left to end.
        () => Promise.all([agents.close(), loops.closeAll()]),
        () => projects.closeAll(),
        () => tasks.close(),
        () => regex.close(),
        () => values.close(),
        () => programs.close(),
        () => labels.close(),
        () => notebooks.close(),
        () => recorder.close(),
        () => machines.close(),
        () => quarantine.close(),
        () => database.close(),
      ]
      for (const step of steps) {
        try {
          await step()
        } catch (error) {
          // What can no longer be written must not keep the rest from ending.
          log('The bridge could not put away all that it holds', error)
        }
      }
    },
  }
}

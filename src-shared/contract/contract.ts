/** Everything that crosses a process border, in one table for all processes; the contract test walks it. */
import type { z } from 'zod'
import type { Command, Owner } from './define'
import { agentClientsCommands } from './agentClients'
import { agentsCommands, agentsEvents } from './agents'
import { bridgeCommands } from './bridge'
import { buildsCommands, buildsEvents } from './builds'
import { commitsCommands } from './commits'
import { connectionsCommands, connectionsEvents } from './connections'
import { dataCommands, dataEvents } from './data'
import { editsCommands, editsEvents } from './edits'
import { estimateCommands } from './estimate'
import { graphicsCommands } from './graphics'
import { labelsCommands, labelsEvents } from './labels'
import { loopsCommands, loopsEvents } from './loops'
import { machineCommands, machineEvents } from './machine'
import { machineStorageCommands } from './machineStorage'
import { memoryCommands } from './memory'
import { snapshotsCommands, snapshotsEvents } from './memorySnapshots'
import { notesCommands, notesEvents } from './notes'
import { noticeEvents, noticeWindowEvents } from './notices'
import { projectsCommands, projectsEvents } from './orchestration'
import { projectHistoryCommands } from './projectHistory'
import { quarantineCommands, quarantineEvents } from './quarantine'
import { recorderCommands, recorderEvents } from './recorder'
import { runDetailsCommands } from './runDetails'
import { runGraphCommands } from './runGraph'
import { runningCommands, runningEvents } from './running'
import { settingsCommands, settingsEvents } from './settings'
import { agentLineCommands, steeringCommands, steeringEvents } from './steering'
import { tasksCommands, tasksEvents } from './tasks'
import { timeTravelCommands } from './timeTravel'
import { trustCommands } from './trust'
import { valuesCommands, valuesEvents } from './values'
import { windowCommands, windowEvents } from './window'

export const commands = {
  ...machineCommands,
  ...machineStorageCommands,
  ...memoryCommands,
  ...timeTravelCommands,
  ...runningCommands,
  ...valuesCommands,
  ...snapshotsCommands,
  ...graphicsCommands,
  ...labelsCommands,
  ...notesCommands,
  ...buildsCommands,
  ...recorderCommands,
  ...settingsCommands,
  ...windowCommands,
  ...connectionsCommands,
  ...tasksCommands,
  ...projectsCommands,
  ...trustCommands,
  ...commitsCommands,
  ...editsCommands,
  ...loopsCommands,
  ...estimateCommands,
  ...agentsCommands,
  ...agentClientsCommands,
  ...runGraphCommands,
  ...projectHistoryCommands,
  ...runDetailsCommands,
  ...steeringCommands,
  ...agentLineCommands,
  ...bridgeCommands,
  ...quarantineCommands,
  ...dataCommands,
} as const
export const events = {
  ...machineEvents,
  ...runningEvents,
  ...valuesEvents,
  ...snapshotsEvents,
  ...labelsEvents,
  ...notesEvents,
  ...buildsEvents,
  ...settingsEvents,
  ...windowEvents,
  ...connectionsEvents,
  ...recorderEvents,
  ...tasksEvents,
  ...projectsEvents,
  ...editsEvents,
  ...loopsEvents,
  ...agentsEvents,
  ...steeringEvents,
  ...quarantineEvents,
  ...dataEvents,
  ...noticeEvents,
  ...noticeWindowEvents,
} as const

export type Commands = typeof commands
export type CommandName = keyof Commands
export type Input<Name extends CommandName> = z.infer<Commands[Name]['input']>
export type Output<Name extends CommandName> = z.infer<Commands[Name]['output']>
export type OwnedBy<Who extends Owner> = {
  [Name in CommandName]: Commands[Name]['owner'] extends Who ? Name : never
}[CommandName]

type Events = typeof events
export type EventName = keyof Events
export type Payload<Name extends EventName> = z.infer<Events[Name]>

export const commandTable: {
  readonly [Name in CommandName]: Command<Owner, z.ZodType<Input<Name>>, z.ZodType<Output<Name>>>
} = commands
export const eventTable: { readonly [Name in EventName]: z.ZodType<Payload<Name>> } = events

const names = Object.keys(commands)
export const isCommandName = (name: unknown): name is CommandName => typeof name === 'string' && names.includes(name)
const eventNames = Object.keys(events)
export const isEventName = (name: unknown): name is EventName => typeof name === 'string' && eventNames.includes(name)

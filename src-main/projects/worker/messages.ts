/** What goes between the bridge and the worker that reads and watches its projects. */
import type { CommandName, Input, Output, Payload } from '@shared/contract/contract'
import type { FileChange } from '../../formats/edit/action'
import type { Project, Run } from '@shared/contract/orchestration'
import {
  defineProtocol,
  type Nothing,
  type RequestInput as InputOf,
  type RequestName as NameOf,
  type RequestOutput as OutputOf,
} from '../../rpc/protocol'

/** Commands of the contract that the bridge forwards as they come: the worker has what they ask of a project. */
export const forwardedCommands = [
  'projects.run',
  'projects.rows',
  'projects.details',
  'projects.graph',
  'projects.file',
  'projects.journal',
  'projects.moments',
  'projects.compare',
  'projects.commits',
  'projects.namedCommits',
  'projects.commit',
  'projects.difference',
  'projects.actions',
  'projects.preview',
  'projects.write',
  'projects.writeWithGit',
  'projects.edits',
  'projects.undo',
  'projects.undoable',
  'projects.draft',
  'projects.keepDraft',
] as const satisfies readonly CommandName[]
export type ForwardedCommand = (typeof forwardedCommands)[number]

type ForwardedRequests = {
  readonly [Name in ForwardedCommand | 'projects.search']: (input: Input<Name>) => Output<Name>
}

export type RememberedValues = ReadonlyMap<string, Readonly<Record<string, string | null>>>

export interface OpenInput {
  readonly project: number
  readonly place: string
  /** From which the revisions of its runs count: a worker that comes after another knows none of those. */
  readonly firstRevision: number
  /** Versions of runs that are not to be read, as `reading` named them. */
  readonly avoid: readonly { readonly run: string; readonly version: string }[]
}

/** What the bridge asks by itself. */
interface OwnRequests {
  /** Answered when notices of all of its runs were sent. */
  open(input: OpenInput): Nothing
  close(input: { readonly project: number }): Nothing
  /** What is remembered beside a run's files changed. */
  /** Answers once the project is known as it is on disk now: the watcher may be behind. */
  settle(input: { readonly project: number }): Nothing
  reread(input: { readonly project: number; readonly run: string }): Nothing
  /** Remembers values beside the files of runs, by run and name; null takes one away. The runs are not read again for that. */
  remember(input: { readonly project: number; readonly runs: RememberedValues }): Nothing
  /** Whether the person trusts a project changed. */
  trustChanged(input: { readonly project: number }): Nothing
  /** A loop of Bridgedeck's own is about to change a file, or has done so. */
  ownWrite(input: { readonly project: number; readonly change: FileChange; readonly isWritten: boolean }): Nothing
  /** The agents that are at work in a project now. */
  agents(input: { readonly project: number; readonly names: string[] }): Nothing
}

type ProjectRequests = ForwardedRequests & OwnRequests
export type OwnRequest = keyof OwnRequests

export type Summary = Omit<Project, 'project' | 'openedAt' | 'trusted'>

/** A run that is being read. */
export interface Reading {
  readonly project: number
  readonly run: string
  readonly version: string
}

export interface ProjectChannel {
  readonly requests: ProjectRequests
  readonly posts: object
  readonly notices: {
    readonly summary: {
      readonly project: number
      readonly root: string
      readonly identity: string | null
      readonly summary: Summary
    }
    readonly runs: { readonly project: number; readonly changed: readonly Run[]; readonly removed: readonly string[] }
    /** A run is read from now on, until anything else is sent. */
    readonly reading: Reading
    /** A run that was to be avoided was not read. */
    readonly refused: { readonly project: number; readonly run: string; readonly file: string }
    readonly overwritten: Payload<'projects.overwritten'>
    readonly edited: Payload<'projects.edited'>
    readonly log: { readonly message: string; readonly error: string | null }
  }
}

export const projectProtocol = defineProtocol<ProjectChannel>('The project reader')

export type RequestName = NameOf<ProjectChannel>
export type RequestInput<Name extends RequestName> = InputOf<ProjectChannel, Name>
export type RequestOutput<Name extends RequestName> = OutputOf<ProjectChannel, Name>

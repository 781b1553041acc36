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
  /** Revisions of its runs start here, as a new worker does not know those of an earlier one. */
  readonly firstRevision: number
  readonly avoid: readonly { readonly run: string; readonly version: string }[]
}

interface OwnRequests {
  open(input: OpenInput): Nothing
  close(input: { readonly project: number }): Nothing
  /** Answers once the project is known as it is on disk now: the watcher may be behind. */
  settle(input: { readonly project: number }): Nothing
  reread(input: { readonly project: number; readonly run: string }): Nothing
  /** Null removes a value. The runs are not read again for it. */
  remember(input: { readonly project: number; readonly runs: RememberedValues }): Nothing
  trustChanged(input: { readonly project: number }): Nothing
  /** Sent before Bridgedeck itself changes a file, and again when it is written. */
  ownWrite(input: { readonly project: number; readonly change: FileChange; readonly isWritten: boolean }): Nothing
  agents(input: { readonly project: number; readonly names: string[] }): Nothing
}

type ProjectRequests = ForwardedRequests & OwnRequests
export type OwnRequest = keyof OwnRequests

export type Summary = Omit<Project, 'project' | 'openedAt' | 'trusted'>

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
    readonly reading: Reading
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

import type { SelfTestStep } from '@shared/contract/connections'
import type { LogLevel } from '@shared/contract/loops'
import type { MachineState } from '@shared/contract/machine'
import type { Severity } from '@shared/contract/orchestration'
import type { Task } from '@shared/contract/tasks'
import type { Tone } from './printed'

type Tones<State extends string> = Readonly<Record<State, Tone | undefined>>

export const connectionTones: Tones<MachineState['connection']> = {
  idle: 'muted',
  connecting: 'notice',
  live: 'good',
  stale: 'notice',
  lost: 'bad',
}

export const taskTones: Tones<Task['status']> = {
  running: 'good',
  completed: undefined,
  stopped: 'muted',
  error: 'bad',
  unknown: 'notice',
}

export const stepTones: Tones<SelfTestStep['outcome']> = {
  running: 'notice',
  ok: 'good',
  failed: 'bad',
  skipped: 'muted',
}

export const severityTones: Tones<Severity> = { error: 'bad', warning: 'notice', info: 'muted' }

export const logTones: Tones<LogLevel> = { error: 'bad', warn: 'notice', info: undefined }

export const issueTones: Tones<'critical' | 'high' | 'medium' | 'low'> = {
  critical: 'bad',
  high: 'bad',
  medium: 'notice',
  low: 'muted',
}

export const patchTone = (line: string): Tone | undefined =>
  /^(diff |--- |\+\+\+ |@@ )/.test(line)
    ? 'muted'
    : line.startsWith('+')
      ? 'good'
      : line.startsWith('-')
        ? 'bad'
        : undefined

import { z } from 'zod'
import type { LoopSystem } from '../formats/systems'
import { modelSchema } from './agents'

export const agentNameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}+$/u)

/** Relative to the project, with `/`; empty for the project's own folder. */
export const placeSchema = z
  .string()
  .max(1000)
  .regex(/^\P{Cc}*$/u)

const startOptions = {
  agent: agentNameSchema.optional(),
  secondAgent: agentNameSchema.optional(),
  /** First tries each agent that was not tested for this run; one that fails ends this start and is not tried again. */
  testsAgents: z.boolean().optional(),
  /**
   * Asks nobody: takes recommended answers and passes gates. Tuning chooses fixes of low and medium risk, leaves those
   * unverified that no scan can check, and begins further iterations.
   */
  auto: z.boolean().optional(),
  /** Applies the options that the person chose for all starts of this run, unless this start sets them itself. */
  asChosen: z.boolean().optional(),
  /**
   * Agents work in a worktree of their own until it is merged or thrown away; a run that has one goes on in it in any
   * case.
   */
  worktree: z.boolean().optional(),
}
const turnOptions = {
  ...startOptions,
  maxTurns: z.int().min(1).max(1_000_000).optional(),
  /** USD */
  maxCost: z.number().min(0).max(1_000_000).optional(),
  /** ms that this start may last until its next turn. */
  maxTime: z
    .int()
    .min(60_000)
    .max(365 * 24 * 3_600_000)
    .optional(),
  /** Most ms of one turn. */
  turnTime: z
    .int()
    .min(1)
    .max(7 * 24 * 3_600_000)
    .optional(),
}
export type TurnOptions = z.infer<z.ZodObject<typeof turnOptions>>

/** Beyond this a timer of Maestro's own dispatcher overflows; here it is a day. */
export const MAX_AGENT_MINUTES = 1_440
export const MAX_DISPATCH_COUNT = 86_400

export const dispatchSettingNames = [
  'MAESTRO_DEFAULT_MODEL',
  'MAESTRO_WRITER_MODEL',
  'MAESTRO_AGENT_TIMEOUT',
  'MAESTRO_MAX_CONCURRENT',
  'MAESTRO_STAGGER_DELAY',
  'MAESTRO_GEMINI_EXTRA_ARGS',
  'MAESTRO_CLEANUP_DISPATCH',
] as const
export type DispatchSettingName = (typeof dispatchSettingNames)[number]

const dispatchSettings = {
  MAESTRO_DEFAULT_MODEL: modelSchema.optional(),
  MAESTRO_WRITER_MODEL: modelSchema.optional(),
  /** Minutes. */
  MAESTRO_AGENT_TIMEOUT: z.int().min(1).max(MAX_AGENT_MINUTES).optional(),
  /** 0 for no limit. */
  MAESTRO_MAX_CONCURRENT: z.int().min(0).max(MAX_DISPATCH_COUNT).optional(),
  /** Seconds. */
  MAESTRO_STAGGER_DELAY: z.int().min(0).max(MAX_DISPATCH_COUNT).optional(),
  MAESTRO_GEMINI_EXTRA_ARGS: z
    .string()
    .min(1)
    .max(1_000)
    .regex(/^\P{Cc}+$/u)
    .optional(),
  MAESTRO_CLEANUP_DISPATCH: z.enum(['true', 'false']).optional(),
} satisfies Record<DispatchSettingName, z.ZodType>

const maestroVariable = z.templateLiteral(['MAESTRO_', z.string().regex(/^[A-Z0-9_]{1,100}$/)])
const maestroEnvironment = z.record(maestroVariable, z.string().max(4_000))

export const maestroVariables = (
  environment: Readonly<Record<string, string | undefined>>,
): z.infer<typeof maestroEnvironment> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => {
      const { data } = maestroEnvironment.safeParse({ [name]: value })
      return Object.entries(data ?? {})
    }),
  )

const sessionSettingNames = [
  'MAESTRO_EXECUTION_MODE',
  'MAESTRO_MAX_RETRIES',
  'MAESTRO_VALIDATION_STRICTNESS',
  'MAESTRO_AUTO_ARCHIVE',
] as const
export type SessionSettingName = (typeof sessionSettingNames)[number]

export const executionModes = ['parallel', 'sequential'] as const

export const maestroOptions = z.strictObject({
  ...turnOptions,
  /** Relative to the project. */
  folder: placeSchema.optional(),
  resumes: z.boolean().optional(),
  retriesFailed: z.boolean().optional(),
  mode: z.enum(executionModes).optional(),
  worktreePerAgent: z.boolean().optional(),
  ...dispatchSettings,
})
/** The first layer that has a setting decides. */
export const settingSources = ['your choice', 'environment', 'workspace .env', 'extension .env', 'default'] as const
export const MAX_SETTING_CHARACTERS = 4_000
export const maestroSetting = z.strictObject({
  value: z
    .string()
    .max(MAX_SETTING_CHARACTERS)
    .regex(/^[^\0]*$/),
  source: z.enum(settingSources),
})
export const typedMaestroOptions = maestroOptions.extend({
  settings: z.record(z.enum(dispatchSettingNames), maestroSetting),
  sessionSettings: z.record(z.enum(sessionSettingNames), maestroSetting).optional(),
  environment: maestroEnvironment.optional(),
  extension: z
    .string()
    .min(1)
    .max(4096)
    .regex(/^[^\0]*$/),
  /** Whether the person saw what the folder's `.env` adds to command lines. */
  acceptsEnv: z.boolean(),
})

export const optionsBySystem = {
  metashell: z.strictObject({
    ...turnOptions,
    /** Runs the commands by which the plan wants tasks checked, without asking for each. */
    runsChecks: z.boolean().optional(),
  }),
  ncrew: z.strictObject({
    ...turnOptions,
    maxIterations: z.int().min(0).max(1_000_000).optional(),
    llm: z.string().max(500).optional(),
  }),
  maestro: typedMaestroOptions.partial(),
  tuning: z.strictObject({
    ...startOptions,
    analyses: z.boolean().optional(),
    resumes: z.boolean().optional(),
    maxSteps: z.int().min(1).max(1_000).optional(),
  }),
} satisfies Record<LoopSystem, z.ZodType>
export type LoopOptions<System extends LoopSystem = LoopSystem> = z.infer<(typeof optionsBySystem)[System]>

const { maxTurns, maxCost, maxTime, runsChecks } = optionsBySystem.metashell.shape
const { maxSteps, analyses } = optionsBySystem.tuning.shape

export const chosenOptionsSchema = z.strictObject({
  agent: startOptions.agent,
  secondAgent: startOptions.secondAgent,
  maxTurns,
  maxCost,
  maxTime,
  maxSteps,
  maxIterations: optionsBySystem.ncrew.shape.maxIterations,
  auto: startOptions.auto,
  runsChecks,
  analyses,
  mode: maestroOptions.shape.mode,
  worktreePerAgent: maestroOptions.shape.worktreePerAgent,
  ...dispatchSettings,
})
export type ChosenOptions = z.infer<typeof chosenOptionsSchema>

const chosen = chosenOptionsSchema.shape
/** Null removes an option. */
export const changedOptionsSchema = z.strictObject({
  agent: chosen.agent.nullable(),
  secondAgent: chosen.secondAgent.nullable(),
  maxTurns: chosen.maxTurns.nullable(),
  maxCost: chosen.maxCost.nullable(),
  maxTime: chosen.maxTime.nullable(),
  maxSteps: chosen.maxSteps.nullable(),
  maxIterations: chosen.maxIterations.nullable(),
  auto: chosen.auto.nullable(),
  runsChecks: chosen.runsChecks.nullable(),
  analyses: chosen.analyses.nullable(),
  mode: chosen.mode.nullable(),
  worktreePerAgent: chosen.worktreePerAgent.nullable(),
  MAESTRO_DEFAULT_MODEL: chosen.MAESTRO_DEFAULT_MODEL.nullable(),
  MAESTRO_WRITER_MODEL: chosen.MAESTRO_WRITER_MODEL.nullable(),
  MAESTRO_AGENT_TIMEOUT: chosen.MAESTRO_AGENT_TIMEOUT.nullable(),
  MAESTRO_MAX_CONCURRENT: chosen.MAESTRO_MAX_CONCURRENT.nullable(),
  MAESTRO_STAGGER_DELAY: chosen.MAESTRO_STAGGER_DELAY.nullable(),
  MAESTRO_GEMINI_EXTRA_ARGS: chosen.MAESTRO_GEMINI_EXTRA_ARGS.nullable(),
  MAESTRO_CLEANUP_DISPATCH: chosen.MAESTRO_CLEANUP_DISPATCH.nullable(),
})
export type ChangedOptions = z.infer<typeof changedOptionsSchema>

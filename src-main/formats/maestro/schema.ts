/** With fields of later versions than the templates. Used for checking only; reading is tolerant. */
import { z } from 'zod'

const sessionStatuses = ['in_progress', 'completed', 'failed'] as const
export const phaseStatuses = ['pending', 'in_progress', 'completed', 'failed', 'skipped'] as const
export const executionModes = ['parallel', 'sequential'] as const
export const errorTypes = ['validation', 'timeout', 'file_conflict', 'runtime', 'dependency'] as const
export type PhaseStatus = (typeof phaseStatuses)[number]
export type ErrorType = (typeof errorTypes)[number]

export const contextFields = [
  'key_interfaces_introduced',
  'patterns_established',
  'integration_points',
  'assumptions',
  'warnings',
] as const
export type ContextField = (typeof contextFields)[number]

export const SESSION_ID = /^[a-zA-Z0-9_-]+$/

const timestamp = z
  .string()
  .regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/,
    'a time such as 2026-02-24T09:12:44.120Z',
  )
const sessionId = z.string().regex(SESSION_ID, 'letters, digits, _ and - only')
const count = z.int().min(0)
const texts = z.array(z.string())
/** A number up to version 1.5; text is possible since 1.6. */
const phaseId = z.union([z.int(), z.string().min(1)], 'a whole number, or text')
const tokens = { input: count, output: count, cached: count }

const phaseError = z.strictObject({
  agent: z.string(),
  timestamp,
  type: z.enum(errorTypes),
  message: z.string(),
  resolution: z.string(),
  resolved: z.boolean(),
})

const phase = z.strictObject({
  id: phaseId,
  name: z.string().min(1),
  status: z.enum(phaseStatuses),
  agents: texts,
  parallel: z.boolean(),
  started: timestamp.nullable(),
  completed: timestamp.nullable(),
  blocked_by: z.array(phaseId),
  files_created: texts,
  files_modified: texts,
  files_deleted: texts,
  downstream_context: z.strictObject(
    Object.fromEntries(contextFields.map((field) => [field, texts])) as Record<ContextField, typeof texts>,
  ),
  errors: z.array(phaseError),
  retry_count: count,
  // Since 1.6.3.
  planned_files: texts.optional(),
  requires_reconciliation: z.boolean().optional(),
  reconciliation_reason: z.string().nullable().optional(),
})

export const sessionSchema = z.strictObject({
  session_id: sessionId,
  task: z.string(),
  created: timestamp,
  updated: timestamp,
  status: z.enum(sessionStatuses),
  design_document: z.string().nullable(),
  implementation_plan: z.string().nullable(),
  current_phase: phaseId.nullable(),
  total_phases: count,
  execution_mode: z.enum(executionModes).nullable(),
  token_usage: z.strictObject({
    total_input: count,
    total_output: count,
    total_cached: count,
    by_agent: z.record(z.string(), z.strictObject(tokens)),
  }),
  phases: z.array(phase),
  // Since 1.4.
  workflow_mode: z.enum(['standard', 'express']).optional(),
  execution_backend: z.enum(['native']).nullable().optional(),
  current_batch: phaseId.nullable().optional(),
  task_complexity: z.enum(['simple', 'medium', 'complex']).nullable().optional(),
})

/** `<session>.design-gate.json`, since 1.6.3. */
export const designGateSchema = z.strictObject({
  session_id: sessionId,
  entered_at: timestamp,
  approved_at: timestamp.nullable(),
  design_document_path: z.string().nullable(),
})

const batchStatuses = ['success', 'partial_failure'] as const
const agentStatuses = ['success', 'failed', 'timeout'] as const

export const summarySchema = z.strictObject({
  batch_status: z.enum(batchStatuses),
  total_agents: count,
  succeeded: count,
  failed: count,
  wall_time_seconds: z.number().min(0),
  agents: z.array(z.strictObject({ name: z.string(), exit_code: z.int(), status: z.enum(agentStatuses) })),
})

/** Agents known to the dispatcher of version 1.2.1. */
export const dispatchAgents = [
  'architect',
  'api_designer',
  'code_reviewer',
  'coder',
  'data_engineer',
  'debugger',
  'devops_engineer',
  'performance_engineer',
  'refactor',
  'security_engineer',
  'technical_writer',
  'tester',
] as const

export const agents: ReadonlySet<string> = new Set([
  ...dispatchAgents,
  'accessibility_specialist',
  'analytics_engineer',
  'chaos_engineer',
  'cloud_architect',
  'cobol_engineer',
  'compliance_reviewer',
  'content_strategist',
  'copywriter',
  'database_administrator',
  'db2_dba',
  'design_system_engineer',
  'hlasm_assembler_specialist',
  'i18n_specialist',
  'ibm_i_specialist',
  'integration_engineer',
  'ml_engineer',
  'mlops_engineer',
  'mobile_engineer',
  'observability_engineer',
  'platform_engineer',
  'product_manager',
  'prompt_engineer',
  'release_manager',
  'seo_specialist',
  'site_reliability_engineer',
  'solutions_architect',
  'ux_designer',
  'zos_sysprog',
])

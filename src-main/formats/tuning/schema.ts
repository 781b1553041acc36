import { z } from 'zod'
import { gates, severities } from './scores'

export const statuses = ['pending', 'running', 'completed', 'failed'] as const
/** Written by the orchestrator when the person leaves; the specification does not list it. */
export const USER_EXIT = 'user_exit'

/** Written into a fix that was rolled back; the specification does not list it. */
export const ROLLED_BACK = 'rolled_back'

export const diagnosisAreas = ['context', 'memory', 'dataflow', 'agent'] as const

export const strategies = [
  'context_summarization',
  'sliding_window',
  'structured_state',
  'constraint_injection',
  'checkpoint_restore',
  'schema_enforcement',
  'orchestrator_refactor',
  'state_centralization',
  'custom',
] as const

const timestamp = z
  .string()
  .regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/,
    'a time such as 2026-02-10T08:00:03.120Z',
  )
const count = z.int().min(0)
const texts = z.array(z.string())

/** Areas for an agent only: they do not replace the four. */
export const analysisAreas = ['architecture', 'prompt', 'performance', 'custom'] as const

export const focusAreas: ReadonlySet<string> = new Set([
  ...diagnosisAreas,
  'docs',
  'token_consumption',
  ...analysisAreas,
])

const evidence = z.strictObject({
  file: z.string(),
  line: z.int().min(1).optional(),
  pattern: z.string(),
  context: z.string(),
  severity: z.string(),
  confidence: z.enum(['high', 'low']).optional(),
})

const diagnosis = z.strictObject({
  status: z.enum(['completed', 'skipped', 'failed']),
  issues_found: count,
  severity: z.enum([...severities, 'none']),
  execution_time_ms: z.number().min(0),
  details: z.strictObject({
    patterns_checked: texts,
    patterns_matched: texts,
    evidence: z.array(evidence),
    recommendations: texts,
  }),
})

export const issueSchema = z.strictObject({
  id: z.string(),
  type: z.enum(['context_explosion', 'memory_loss', 'dataflow_break', 'agent_failure']),
  severity: z.enum(severities),
  priority: z.int().min(1),
  location: z.strictObject({
    file: z.string(),
    line_start: z.int().min(1).optional(),
    line_end: z.int().min(1).optional(),
    phase: z.string().optional(),
  }),
  /** Bridgedeck's own field: low for what may be no fault. */
  confidence: z.enum(['high', 'low']).optional(),
  description: z.string(),
  evidence: texts,
  root_cause: z.string(),
  impact: z.string(),
  suggested_fix: z.string(),
  related_issues: texts,
})

const change = z.strictObject({
  file: z.string(),
  action: z.enum(['create', 'modify', 'delete']),
  old_content: z.string().optional(),
  new_content: z.string().optional(),
  diff: z.string().optional(),
})

export const fixSchema = z.strictObject({
  id: z.string(),
  issue_ids: texts,
  strategy: z.enum(strategies),
  description: z.string(),
  rationale: z.string(),
  changes: z.array(change),
  risk: z.enum(['low', 'medium', 'high']),
  estimated_impact: z.string(),
  verification_steps: texts,
})

const appliedFix = z.strictObject({
  fix_id: z.string(),
  applied_at: timestamp,
  success: z.boolean(),
  backup_path: z.string(),
  verification_result: z.enum(['pass', 'fail', 'pending']),
  rollback_available: z.boolean(),
})

const historyEntry = z.strictObject({
  action: z.string(),
  started_at: timestamp,
  completed_at: timestamp,
  result: z.enum(['success', 'failure', 'skipped']),
  output_files: texts,
})

const error = z.strictObject({ action: z.string(), message: z.string(), timestamp, recoverable: z.boolean() })

/** Text that the initial template leaves null until the run has started. */
const set = (started: boolean, value: z.ZodType) => (started ? value : value.nullable())

/** @param started false while the status is pending: fields of the first action may be null */
const stateSchema = (started: boolean) =>
  z.strictObject({
    status: z.enum(statuses),
    started_at: set(started, timestamp),
    updated_at: set(started, timestamp),
    target_skill: z.strictObject({
      name: set(started, z.string()),
      path: set(started, z.string()),
      execution_mode: set(started, z.enum(['sequential', 'autonomous'])),
      phases: texts,
      specs: texts,
    }),
    user_issue_description: z.string(),
    focus_areas: texts,
    diagnosis: z.strictObject({
      context: diagnosis.nullable(),
      memory: diagnosis.nullable(),
      dataflow: diagnosis.nullable(),
      agent: diagnosis.nullable(),
    }),
    issues: z.array(issueSchema),
    issues_by_severity: z.strictObject({ critical: count, high: count, medium: count, low: count }),
    proposed_fixes: z.array(fixSchema),
    applied_fixes: z.array(appliedFix),
    pending_fixes: texts,
    iteration_count: count,
    max_iterations: count,
    quality_score: z.number().min(0).max(100),
    quality_gate: z.enum(gates),
    completed_actions: texts,
    current_action: z.string().nullable(),
    action_history: z.array(historyEntry),
    errors: z.array(error),
    error_count: count,
    max_errors: count,
    work_dir: set(started, z.string()),
    backup_dir: set(started, z.string()),
  })

export const initialStateSchema = stateSchema(false)
export const startedStateSchema = stateSchema(true)

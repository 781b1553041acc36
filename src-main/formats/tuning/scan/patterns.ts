import type { AgentPattern } from './agent'
import type { ContextPattern } from './context'
import type { DataflowPattern } from './dataflow'
import type { MemoryPattern } from './memory'

export type Pattern = ContextPattern | MemoryPattern | DataflowPattern | AgentPattern

export interface PatternText {
  readonly checkedAs?: Pattern
  readonly description: string
  readonly rootCause: string
  readonly impact: string
  readonly suggestedFix: string
}

export const patternTexts: Readonly<Record<Pattern, PatternText>> = {
  history_accumulation: {
    description: 'A history grows without a bound',
    rootCause: 'Entries are added to a list that goes into every prompt, and none are ever taken off it.',
    impact: 'Every iteration costs more tokens than the one before, until the context is full.',
    suggestedFix: 'Keep the latest entries only, or replace the older ones by a summary.',
  },
  full_content_passing: {
    description: 'Whole content is passed on instead of a reference',
    rootCause: 'A prompt contains the whole state or the whole text of a file.',
    impact: 'Each call pays for text that its agent may not need.',
    suggestedFix: 'Pass the path, or the fields that the agent needs.',
  },
  missing_summarization: {
    description: 'A long phase never summarises',
    rootCause: 'The phase has more than 5,000 characters and no step that shortens what it gathers.',
    impact: 'What it gathers reaches the later phases at full length.',
    suggestedFix: 'Add a step that summarises the results before they are passed on.',
  },
  agent_return_bloat: {
    description: 'An agent returns whole content',
    rootCause: 'What is returned holds the content itself.',
    impact: 'The caller’s context grows by the whole result of every call.',
    suggestedFix: 'Write the content to a file and return its path with a short summary.',
  },
  constraint_propagation: {
    description: 'A phase does not repeat the constraints of the first one',
    rootCause: 'The constraints stand in the first phase only.',
    impact: 'Results of this phase can break what was asked for.',
    suggestedFix: 'Repeat the constraints in this phase, or load them from the state.',
  },
  goal_drift: {
    description: 'A task is given without constraints',
    rootCause: 'A [TASK] of a late phase has no constraints, requirements or rules.',
    impact: 'The agent works towards a goal of its own.',
    suggestedFix: 'Add a [CONSTRAINTS] section to the prompt.',
  },
  checkpoint_mechanism: {
    description: 'A key phase has no checkpoint',
    rootCause: 'Nothing is saved in the middle or at the end of a long skill.',
    impact: 'After a failure everything has to be done again.',
    suggestedFix: 'Save a checkpoint of the state at the end of the phase.',
  },
  state_schema_constraints: {
    description: 'The state has no place for constraints',
    rootCause: 'The state schema has no field for constraints, requirements or the original request.',
    impact: 'Later phases cannot look up what was asked for.',
    suggestedFix: 'Add the fields original_request and constraints to the schema.',
  },
  missing_verification: {
    checkedAs: 'goal_drift',
    description: 'Nothing checks the result against the constraints',
    rootCause:
      'SKILL.md of a skill with more than three phases has neither a check of the constraints nor a quality gate.',
    impact: 'A result that misses the goal is found by its reader.',
    suggestedFix: 'Add a last step that checks the result against the constraints.',
  },
  scattered_state: {
    description: 'State is written to several places',
    rootCause: 'More than two different state or config files are written.',
    impact: 'The files contradict each other sooner or later.',
    suggestedFix: 'Keep all state in one state.json.',
  },
  inconsistent_naming: {
    description: 'One thing has two names',
    rootCause: 'The same variable is used with two names for one field.',
    impact: 'A reader of one name does not find what was written under the other.',
    suggestedFix: 'Use one name throughout.',
  },
  missing_validation: {
    description: 'JSON is read without validation',
    rootCause: 'The result of JSON.parse is used unchecked, and there is no default.',
    impact: 'A broken or partial file ends the skill, or is taken for valid.',
    suggestedFix: 'Check the parsed value before its use, or give a default.',
  },
  read_write_alignment: {
    description: 'A file is written and never read',
    rootCause: 'No phase reads or mentions the file that is written here.',
    impact: 'The data is lost to later phases, or the step is wasted.',
    suggestedFix: 'Read the file where it is needed, or do not write it.',
  },
  unchecked_schema: {
    checkedAs: 'missing_validation',
    description: 'State schema without a validation function',
    rootCause: 'The schema has types and no function that checks a state against them.',
    impact: 'A wrong state is noticed late.',
    suggestedFix: 'Add a validation function to the schema, and call it before every write.',
  },
  missing_state_schema: {
    checkedAs: 'scattered_state',
    description: 'An autonomous skill without a state schema',
    rootCause: 'The orchestrator has no state-schema.md that defines its state.',
    impact: 'Actions disagree about the shape of the state.',
    suggestedFix: 'Add phases/state-schema.md with the fields of the state.',
  },
  error_handling: {
    description: 'An agent is called without error handling',
    rootCause: 'The call stands in no try block and has no catch.',
    impact: 'One failing agent ends the whole run.',
    suggestedFix: 'Put the call into try and catch, and decide what to do when it fails.',
  },
  result_validation: {
    description: 'The result of an agent is used unchecked',
    rootCause: 'Nothing tests what the agent returned.',
    impact: 'An empty or malformed answer goes on into the next step.',
    suggestedFix: 'Check the result before its use.',
  },
  agent_type_consistency: {
    description: 'More than three types of agents',
    rootCause: 'An autonomous skill coordinates agents of more than three types.',
    impact: 'Their prompts and results are hard to keep consistent.',
    suggestedFix: 'Use one type for similar work.',
  },
  nested_calls: {
    description: 'An agent is called inside another agent’s prompt',
    rootCause: 'The prompt of a call asks its agent to call another one.',
    impact: 'Failures and results of the inner agent never reach the orchestrator.',
    suggestedFix: 'Let the orchestrator make both calls, one after the other.',
  },
  return_format_consistency: {
    description: 'Agents return in more than two formats',
    rootCause: 'Prompts ask for different forms of results.',
    impact: 'The orchestrator needs a parser for each of them.',
    suggestedFix: 'Ask every agent for the same JSON object.',
  },
  missing_allowed_tool: {
    checkedAs: 'agent_type_consistency',
    description: 'allowed-tools lacks the tool that calls agents',
    rootCause: 'The skill calls agents, and allowed-tools in SKILL.md does not list the tool.',
    impact: 'The call is refused where the list is enforced.',
    suggestedFix: 'Add Task to allowed-tools.',
  },
}

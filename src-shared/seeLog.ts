/** Put into a loop's hint; the window makes a link of it. */
export const SEE_LOG = 'See the agent’s log.'

import { z } from 'zod'

// Every import of zod in the page comes here (scripts/lib/pagePlugins.ts): with its JIT on, zod probes `new Function` when
// it builds a schema, which our CSP reports.
z.config({ jitless: true })

export { z }

import { benchSearch } from './search.ts'
import { benchBuffers } from './reads.ts'
const [name, rng, n] = process.argv.slice(2)
console.log(await benchBuffers(name!))
const r = await benchSearch(name!, Number(rng), Number(n))
for (const x of r) console.log(x.name.padEnd(28), x.p50.toFixed(1).padStart(7), x.p99.toFixed(1).padStart(7), String(x.buffersP50).padStart(7), String(x.buffersMax).padStart(8), (x.partial*100).toFixed(0)+'%', x.barred?'*':'')

import { test } from "bun:test";
import { gzipSync } from "node:zlib";
import { createWorld } from "./test/world.ts";
test("big", async () => {
  const world = await createWorld(); const token = await world.admin();
  const results=Array.from({length:25000},(_,i)=>({ruleId:"r"+i%50,level:"error",message:{text:"message number "+i+" "+"lorem ipsum dolor ".repeat(55)},locations:[{physicalLocation:{artifactLocation:{uri:"src/f"+i%300+".ts"},region:{startLine:i,snippet:{text:"eval(x"+i+") password = hunter2"}}}}]}));
  const text=JSON.stringify({version:"2.1.0",runs:[{tool:{driver:{name:"t"}},results}]});
  const body=gzipSync(text);
  for (let k=0;k<3;k++){ const t=performance.now(); const r=await world.call("POST","/api/compliance/scans?project=p",{token,body,headers:{"content-type":"application/sarif+json","content-encoding":"gzip"}}); console.log(text.length,body.length,r.status,performance.now()-t);}
  const agent = await world.agent(); for (let i=0;i<300;i++) await world.call("POST","/api/policy/check",{token:agent.token,body:{type:"shell",command:"ls"}});
  await world.call("POST","/api/compliance/frameworks",{token,body:{framework:"soc2"}});
  for (let k=0;k<8;k++){ await new Promise(r=>setTimeout(r,1000)); console.log(world.log.filter(l=>/replaced/.test(l)).length);const a=performance.now(); const s=await world.call("GET","/api/compliance/status",{token}); const b=performance.now(); console.log("status",s.status,b-a); const q=await world.call("GET","/api/dashboard",{token}); const c=performance.now(); console.log("dash",q.status,c-b); const e=await world.call("GET","/api/posture/evidence?framework=soc2",{token}); console.log("evidence",e.status,performance.now()-c);}
  console.log(world.log.filter(l=>/"error"|replaced/.test(l)).slice(0,3));
  await world.close();
}, 100000);

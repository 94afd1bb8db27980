import pytest
from collections import Counter
from tests.tutoring.planner.test_handoffs_set import *
def test_break(kept_fractions):
    dialogues = [json.loads(line) for line in LABELLED.read_text(encoding="utf-8").splitlines()]
    c=Counter()
    with unhurried(), counted_turns(SEED):
        for d in dialogues:
            for n,(e,s) in enumerate(played(d)):
                if not e: 
                    c['other', bool(d['lesson']), 'ok' if not s else 'bad']+=1; continue
                kind='ok' if e==s else 'sameset' if set(e)==set(s) else 'none' if not s else 'partial' if set(s)<set(e) else 'extra' if set(e)<set(s) else 'wrong'
                c['need', 'lesson' if d['lesson'] else 'lobby', 'first' if n==0 else 'later', 'multi' if len(e)>1 else e[0], kind]+=1
    for k,v in sorted(c.items(), key=str): print(k,v)

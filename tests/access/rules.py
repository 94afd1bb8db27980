"""Who gets what at every address: the one table that the walk goes by.

Ada owns what there is; Ben and Eve are learners too, Grace teaches, Root is an admin. An address without a line here
fails the walk.
"""

from dataclasses import dataclass
from typing import Literal

Answer = Literal["page", "sign-in", "401", "404", "405", "501"]
"""What comes: a page (2xx, or a redirect to one), the way to the sign-in page, or a refusal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One address and what each kind of person gets there."""

    anonymous: Answer
    owner: Answer = "page"
    others: Answer = "page"
    """Learners and teachers who do not own what the address names."""
    teacher: Answer | None = None
    """Grace, who teaches Ada; None where that makes no difference."""
    admin: Answer = "page"
    method: str = "get"
    json: bool = False
    """Whether errors come in the contract's shape."""
    has_delete: bool = False
    """Whether its owner can delete it by DELETE; the address's own tests have the strangers."""


MINE = Rule(anonymous="sign-in", others="404", admin="404")
"""A page of one person's own things; nobody else's, an admin's neither."""
MY_POST = Rule(anonymous="sign-in", others="404", admin="404", method="post")
EVERYBODYS = Rule(anonymous="sign-in")
"""A page that everybody who is signed in has, each of their own."""
EVERYBODYS_POST = Rule(anonymous="sign-in", method="post")
PUBLIC = Rule(anonymous="page")
CALL = Rule(anonymous="401", json=True)
MY_CALL = Rule(anonymous="401", others="404", admin="404", json=True)
NOBODYS = Rule(anonymous="404", owner="404", others="404", admin="404", json=True)
ADMINS = Rule(anonymous="sign-in", owner="404", others="404")
"""Pages of the admin; that they exist is told to nobody else."""
ADMINS_POST = Rule(anonymous="sign-in", owner="404", others="404", method="post")
TEACHERS = Rule(anonymous="sign-in", owner="404", others="404", teacher="page")
"""Pages of those who teach the class; its learners have none of them."""
TEACHERS_POST = Rule(anonymous="sign-in", owner="404", others="404", teacher="page", method="post")
TEACHERS_LAST_POST = Rule(anonymous="sign-in", owner="404", others="404", teacher="page", admin="404", method="post")
"""After Grace has done it, there is nothing left for Root to do it to."""
NOBODYS_POST = Rule(anonymous="sign-in", owner="404", others="404", admin="404", method="post")
TEACHERS_OWN = Rule(anonymous="sign-in", owner="404", others="404", teacher="page", admin="404")
"""What those who teach the class write about a pupil and to them; an admin's neither."""
TEACHERS_OWN_POST = Rule(anonymous="sign-in", owner="404", others="404", teacher="page", admin="404", method="post")
NO_ADMINS_EITHER = Rule(anonymous="sign-in", owner="404", others="404", admin="404")

TWILIOS = Rule(anonymous="501", owner="501", others="501", admin="501", method="post", json=True)
"""Where only Twilio's signed requests get anything; where calls are not set up, nobody does."""

RULES: dict[str, Rule] = {
    "twilio/voice": TWILIOS,
    "twilio/process-speech": TWILIOS,
    "": EVERYBODYS,
    "level/": EVERYBODYS_POST,
    "learn/": EVERYBODYS,
    "learn/answers/<str:pk>": MY_POST,
    "learn/answers/<str:pk>/run": MY_POST,
    "learn/lesson/<path:key>/": MINE,
    "learn/lesson/<path:key>/pace/": MY_POST,
    "path/": EVERYBODYS,
    "library/<uuid:document>/learn/": MY_POST,
    "my-courses/": EVERYBODYS,
    # A teacher sees what is offered to a class; here nothing is. The pages' own tests have that.
    "my-courses/<int:made>/": MINE,
    "my-courses/<int:made>/delete/": MINE,
    "my-courses/<int:made>/offer/": MY_POST,
    "my-courses/<int:made>/decision/": NOBODYS_POST,
    "my-courses/<int:made>/questions/<slug:concept>/<int:number>/": MINE,
    "my-courses/<int:made>/passages/<int:passage>/": MINE,
    "learn/<slug:course>/path/": EVERYBODYS,
    "learn/<slug:course>/": EVERYBODYS,
    "learn/<slug:course>/<slug:concept>/": EVERYBODYS,
    "learn/<slug:course>/<slug:concept>/mastered/": EVERYBODYS,
    "talk/": EVERYBODYS,
    "progress/": EVERYBODYS,
    "progress/insights/": EVERYBODYS,
    "progress/asked/": EVERYBODYS,
    "progress/review/": EVERYBODYS,
    "progress/review/<uuid:pk>/": NO_ADMINS_EITHER,  # What the walk has by that name is no review.
    "progress/answers/<int:attempt>/contest/": MY_POST,
    "progress/news/seen/": EVERYBODYS_POST,
    "progress/milestones/<int:withdrawal>/contest/": MY_POST,
    "messages/": EVERYBODYS,
    "messages/stop/<str:stop>/": PUBLIC,
    "messages/sent/<int:message>/delete/": MY_POST,
    "messages/<slug:code>/": MINE,
    "reports/stop/<str:stop>/": PUBLIC,
    "guardian/stop/<str:stop>/": PUBLIC,
    "guardian/<str:token>/": PUBLIC,
    "progress/<slug:course>/ideas/<slug:misconception>/contest/": MY_POST,
    "progress/<slug:course>/<slug:concept>/contest/": EVERYBODYS_POST,
    "progress/<slug:course>/<slug:concept>/start/": EVERYBODYS_POST,
    "progress/<slug:course>/<slug:concept>/another/": EVERYBODYS_POST,
    "progress/<slug:course>/<slug:concept>/": EVERYBODYS,
    "reminders/": EVERYBODYS,
    "reminders/stop/<str:stop>/": PUBLIC,
    "reminders/<str:calendar>.ics": PUBLIC,
    "planner/": EVERYBODYS,
    "planner/week/": EVERYBODYS,
    "planner/add/": EVERYBODYS,
    "planner/undo/<str:change>/": MY_POST,
    "planner/reminders/": EVERYBODYS,
    "planner/reminders/close/": EVERYBODYS_POST,
    "planner/tasks/": EVERYBODYS,
    "planner/tasks/<int:pk>/": MINE,
    "planner/tasks/<int:pk>/done/": MY_POST,
    "planner/tasks/<int:pk>/delete/": MY_POST,
    "planner/tasks/<int:pk>/parts/": MY_POST,
    "planner/tasks/<int:pk>/move/": MY_POST,
    "planner/events/<int:pk>/": MINE,
    "planner/events/<int:pk>/move/": MY_POST,
    "planner/events/<int:pk>/delete/": MY_POST,
    "planner/meals/": EVERYBODYS,
    "planner/meals/<int:pk>/": MINE,
    "planner/meals/<int:pk>/rate/": MY_POST,
    "planner/meals/<int:pk>/delete/": MY_POST,
    "planner/notes/": EVERYBODYS,
    "planner/notes/<int:pk>/": MINE,
    "planner/notes/<int:pk>/delete/": MY_POST,
    "planner/notes/export/": EVERYBODYS,
    "planner/notes/import/": EVERYBODYS_POST,
    "planner/settings/": EVERYBODYS,
    "planner/settings/calendar/": EVERYBODYS_POST,
    "planner/settings/first-messages/stop/": EVERYBODYS_POST,
    "planner/workspaces/": EVERYBODYS_POST,
    "planner/workspaces/switch/": EVERYBODYS_POST,
    "planner/import/": EVERYBODYS_POST,
    "planner/import/confirm/": EVERYBODYS_POST,
    "planner/stop/<str:token>/": PUBLIC,
    "planner/calendar/<str:token>.ics": PUBLIC,
    "assignments/<int:assignment>/": MINE,
    "assignments/<int:assignment>/questions/<int:number>/": MINE,
    "teach/": TEACHERS,
    "teach/courses/": TEACHERS,
    "teach/courses/import/": TEACHERS,
    "teach/courses/import/<int:draft>/": Rule(
        anonymous="sign-in", owner="404", others="404", teacher="page", admin="404"
    ),
    "teach/courses/<slug:course>/": TEACHERS,
    # A course of the site: only an admin adds texts to it.
    "teach/courses/<slug:course>/reading/": ADMINS,
    "learn/<slug:course>/reading/<int:reading>/": EVERYBODYS,
    "teach/courses/<slug:course>/summary/": TEACHERS,
    "teach/courses/<slug:course>/export/<slug:kind>/": TEACHERS,
    "teach/courses/<slug:course>/change/": NOBODYS_POST,
    "teach/<slug:code>/": TEACHERS,
    "co-teach/<str:token>/": Rule(anonymous="sign-in", owner="404", others="404", teacher="page"),
    "teach/<slug:code>/pupils/": TEACHERS,
    "teach/<slug:code>/pupils/change/": TEACHERS_POST,
    "teach/<slug:code>/pupils/groups/": TEACHERS_POST,
    "teach/<slug:code>/pupils/groups/<int:group>/": TEACHERS,
    "teach/<slug:code>/pupils/groups/<int:group>/delete/": TEACHERS_LAST_POST,
    "teach/<slug:code>/pupils/teachers/": TEACHERS_POST,
    "teach/<slug:code>/pupils/teachers/invite/": TEACHERS_POST,
    "teach/<slug:code>/pupils/teachers/<int:teacher>/remove/": TEACHERS_LAST_POST,
    "teach/<slug:code>/pupils/import/": TEACHERS,
    "teach/<slug:code>/pupils/cards/": TEACHERS_POST,
    "teach/<slug:code>/pupils/export.csv": TEACHERS,
    "teach/<slug:code>/settings/": TEACHERS,
    "teach/<slug:code>/guardians/": TEACHERS,
    "teach/<slug:code>/archive/": TEACHERS_POST,
    "teach/<slug:code>/delete/": TEACHERS_LAST_POST,
    "teach/<slug:code>/export.csv": TEACHERS,
    "teach/<slug:code>/paper/": TEACHERS,
    "teach/<slug:code>/assignments/": TEACHERS,
    "teach/<slug:code>/assignments/new/": TEACHERS,
    "teach/<slug:code>/assignments/audience/": TEACHERS,
    "teach/<slug:code>/assignments/<int:assignment>/": TEACHERS,
    "teach/<slug:code>/assignments/<int:assignment>/edit/": TEACHERS,
    "teach/<slug:code>/assignments/<int:assignment>/change/": TEACHERS_POST,
    "teach/<slug:code>/assignments/<int:assignment>/paper/": TEACHERS,
    "teach/<slug:code>/assignments/<int:assignment>/live/": TEACHERS,
    "teach/<slug:code>/messages/": TEACHERS_OWN,
    "teach/<slug:code>/reports/": TEACHERS,
    "teach/<slug:code>/reports/summary.txt": TEACHERS,
    "teach/<slug:code>/reports/mail/": TEACHERS_OWN_POST,
    "teach/<slug:code>/reports/<slug:table>.csv": TEACHERS,
    "teach/<slug:code>/<int:learner>/": TEACHERS,
    "teach/<slug:code>/<int:learner>/messages/": TEACHERS,
    "teach/<slug:code>/<int:learner>/messages/<int:message>/delete/": TEACHERS_OWN_POST,
    "teach/<slug:code>/<int:learner>/notes/": TEACHERS_OWN_POST,
    "teach/<slug:code>/<int:learner>/notes/<int:note>/delete/": TEACHERS_OWN_POST,
    "teach/<slug:code>/<int:learner>/milestones/<int:finding>/": TEACHERS_POST,
    "teach/<slug:code>/<int:learner>/summaries/<int:session>/": NO_ADMINS_EITHER,  # Grace's class shows more than that.
    "teach/<slug:code>/<int:learner>/guardian/": TEACHERS_OWN_POST,
    "teach/<slug:code>/<int:learner>/remove/": TEACHERS_LAST_POST,
    "teach/<slug:code>/<int:learner>/contests/<int:contest>/": TEACHERS_POST,
    "teach/<slug:code>/answers.csv": TEACHERS,
    "teach/<slug:code>/misconceptions/": TEACHERS,
    "teach/<slug:code>/misconceptions/<slug:misconception>/": TEACHERS,
    "teach/<slug:code>/misconceptions/<slug:misconception>/lesson/": TEACHERS,
    "teach/<slug:code>/misconceptions/<slug:misconception>/group/": TEACHERS_POST,
    "teach/<slug:code>/questions/": TEACHERS,
    "teach/<slug:code>/questions/<slug:course>/<str:template>/": TEACHERS,
    "teach/<slug:code>/questions/<slug:course>/<str:template>/withdraw/": TEACHERS_POST,
    "teach/<slug:code>/questions/<slug:course>/<str:template>/report/": TEACHERS_POST,
    "teach/<slug:code>/<int:learner>/answers/<int:attempt>/": TEACHERS_POST,
    "teach/<slug:code>/<int:learner>/help/": TEACHERS_POST,
    "teach/<slug:code>/<int:learner>/seen/": TEACHERS_POST,
    "teach/<slug:code>/<int:learner>/conversations/<int:session>/": TEACHERS,
    "teach/<slug:code>/<int:learner>/<slug:course>/<slug:concept>/": TEACHERS,
    "library/": EVERYBODYS,
    "library/articles/": EVERYBODYS,
    "library/articles/<slug:article>/": EVERYBODYS,
    "library/states/": EVERYBODYS,
    "library/folders/": EVERYBODYS_POST,
    "library/folders/<int:folder>/rename/": MY_POST,
    "library/folders/<int:folder>/share/": MY_POST,
    "library/folders/<int:folder>/delete/": MY_POST,
    "library/<uuid:document>/": MINE,
    "library/<uuid:document>/file": MINE,
    "library/<uuid:document>/rename/": MY_POST,
    "library/<uuid:document>/move/": MY_POST,
    "library/<uuid:document>/keep/": MY_POST,
    "library/<uuid:document>/delete/": MINE,
    "round-table/": EVERYBODYS,
    "round-table/<uuid:table>/": MINE,
    "round-table/<uuid:table>/stop/": MY_POST,
    "round-table/<uuid:table>/say/": MY_POST,
    "round-table/<uuid:table>/go-on/": MY_POST,
    "round-table/<uuid:table>/settle/": MY_POST,
    "round-table/<uuid:table>/export.md": MINE,
    "board/": EVERYBODYS,
    "c/": EVERYBODYS,
    "c/trash/<int:deleted>/bring-back/": MY_POST,
    "c/trash/<int:deleted>/give-up/": MY_POST,
    "c/<path:key>/rename/": MY_POST,
    "c/<path:key>/answered-by/": MY_POST,
    "c/<path:key>/pin/": MY_POST,
    "c/<path:key>/archive/": MY_POST,
    "c/<path:key>/delete/": MY_POST,
    "c/<path:key>/export.md": MINE,
    "c/<path:key>/export.json": MINE,
    "c/<path:key>/turns/<str:turn_id>/feedback/": MY_POST,
    "c/<path:key>/turns/<str:turn_id>/versions/<int:place>/": MINE,
    "c/<path:key>/turns/<str:turn_id>/story/": MINE,
    "c/<path:key>/transcript/": MINE,
    "c/<path:key>/findings/<int:finding>/contest/": MY_POST,
    "c/<path:key>/speech/heard": MY_POST,
    "c/<path:key>/speech/said": MY_POST,
    "c/<path:key>/board/": MY_POST,
    "c/<path:key>/board/<uuid:drawing>.png": MINE,
    "c/<path:key>/board/<uuid:drawing>/forget/": MY_POST,
    "c/<path:key>/before/<int:before>/": MINE,
    "c/<path:key>/from/<int:start>/": MINE,
    "c/<path:key>/": MINE,
    "announcements/<int:pk>/close/": Rule(anonymous="sign-in", owner="page", method="post"),
    "ops/": ADMINS,
    "ops/costs/": ADMINS,
    "ops/health/": ADMINS,
    "ops/jobs/run/": NOBODYS_POST,  # It needs the name of a job.
    "ops/costs.csv": ADMINS,
    "admin/accounts/person/<int:pk>/sign-in-link/": NOBODYS_POST,  # Ada has signed in already.
    "admin/accounts/person/<int:pk>/sign-out/": ADMINS_POST,
    "admin/accounts/person/<int:pk>/guardian/": ADMINS_POST,
    "lti/keys/": PUBLIC,
    "lti/login/": PUBLIC,
    "lti/launch/": Rule(anonymous="page", method="post"),
    "lti/open/": Rule(anonymous="page", method="post"),
    "lti/choose/": Rule(anonymous="page", method="post"),
    "lti/agreement/<int:link>/": MINE,
    "accounts/sign-in/": PUBLIC,
    "accounts/sign-up/": PUBLIC,
    "accounts/sign-out/": Rule(anonymous="sign-in", owner="sign-in", others="sign-in", admin="sign-in", method="post"),
    "accounts/link/<str:token>/": PUBLIC,
    "card/": PUBLIC,
    "card/<str:code>/": PUBLIC,
    "accounts/profile/": EVERYBODYS,
    "accounts/language/": Rule(anonymous="page", method="post"),
    "accounts/look/": Rule(anonymous="page", method="post"),
    "accounts/consent/": Rule(anonymous="sign-in", owner="404"),  # Ada is a child, who is not asked.
    # Ada and Eve differ: only the under-age are asked.
    "accounts/guardian/": Rule(anonymous="sign-in", others="404", admin="404"),
    "accounts/guardian/stop/": MY_POST,
    "accounts/guardian/<str:token>/": PUBLIC,
    "accounts/password/": EVERYBODYS,
    "accounts/email/": EVERYBODYS,
    "accounts/forgotten/": PUBLIC,
    "accounts/reset/<str:reset>/": PUBLIC,
    "accounts/sessions/": EVERYBODYS,
    "accounts/sessions/end/": Rule(
        anonymous="sign-in", owner="sign-in", others="sign-in", admin="sign-in", method="post"
    ),
    "accounts/sessions/<str:name>/end/": MY_POST,
    "accounts/second-factor/": ADMINS,
    "accounts/second-factor/code/": ADMINS,
    "accounts/second-factor/recovery-codes/": NOBODYS_POST,  # Root has none.
    "accounts/second-factor/remove/": NOBODYS_POST,
    "accounts/data/": EVERYBODYS,
    "accounts/data/copy/": EVERYBODYS_POST,
    "accounts/data/copy/<uuid:pk>/": MINE,
    "accounts/erase/": EVERYBODYS,
    "accounts/erased/<uuid:pk>/": PUBLIC,
    "accounts/tokens/": EVERYBODYS,
    "accounts/tokens/<int:pk>/revoke/": MY_POST,
    "accounts/phone/": EVERYBODYS,
    "accounts/phone/<int:link>/unlink/": MY_POST,
    "accounts/classes/": EVERYBODYS,
    "accounts/classes/<slug:code>/leave/": MY_POST,
    "v2/": NOBODYS,
    "v2/openapi.json": PUBLIC,
    "v2/asyncapi.json": PUBLIC,
    "v2/docs": PUBLIC,
    "v2/client.py": PUBLIC,
    "v2/conversation": Rule(anonymous="401", method="post", json=True),
    "v2/attachments": Rule(anonymous="401", method="post", json=True),
    "v2/search": Rule(anonymous="401", method="post", json=True),
    "v2/sessions": CALL,
    "v2/agents": CALL,
    "v2/insights": CALL,
    "v2/sessions/<path:session_id>/turns": MY_CALL,
    "v2/turns/<turn_id>": MY_CALL,
    "v2/turns/<turn_id>/events": MY_CALL,
    "v2/<path:rest>": NOBODYS,
    "api/": NOBODYS,
    "api/conversation": Rule(anonymous="401", method="post", json=True),
    "api/conversation/smart": Rule(anonymous="401", method="post", json=True),
    "api/search": Rule(anonymous="401", method="post", json=True),
    "api/session/<path:session_id>/history": MY_CALL,
    "api/stats": CALL,
    "api/chat/multi": Rule(anonymous="401", method="post", json=True),
    # The walk sends no words, which is refused before the table is looked for; test_remarks.py has the stranger.
    "api/chat/multi/<table>/say": Rule(anonymous="401", method="post", json=True),
    "api/chat": Rule(anonymous="401", method="post", json=True),
    "api/chat/agents": CALL,
    "api/<path:rest>": NOBODYS,
    "chat": Rule(anonymous="401", method="post", json=True),
    "chat/stream": Rule(anonymous="401", method="post", json=True),
    "chat/<path:rest>": NOBODYS,
    "session/": NOBODYS,
    "session/<path:session_id>": Rule(anonymous="401", others="404", admin="404", json=True, has_delete=True),
    "config": Rule(anonymous="401", owner="404", others="404", json=True),
    "health": PUBLIC,
    "metrics": Rule(anonymous="401", owner="404", others="404", json=True),
    "manifest.webmanifest": PUBLIC,
    "service-worker.js": PUBLIC,
    "offline/": PUBLIC,
    "favicon.ico": PUBLIC,
    "admin/": ADMINS,
    "admin/login/": ADMINS,
    "admin/logout/": Rule(anonymous="page", owner="404", others="404", admin="sign-in", method="post"),
    "admin/password_change/": ADMINS,
    "admin/password_change/done/": ADMINS,
    "admin/autocomplete/": NO_ADMINS_EITHER,
    "admin/jsi18n/": ADMINS,
    "admin/conversations/v1deprecation/": ADMINS,
    "admin/conversations/roundtablelimits/figures/": ADMINS,
    "admin/conversations/v1import/": ADMINS,
    "admin/conversations/v1import/assign/": ADMINS_POST,
    "admin/conversations/v1import/reconcile/": ADMINS_POST,
    "admin/conversations/v1import/<int:pk>/": NO_ADMINS_EITHER,  # What the walk has by that number is no import.
    "admin/lti/platform/rotate-key/": ADMINS_POST,
    "admin/agents/flag/safe-rollout/": ADMINS_POST,
    "admin/agents/flag/<int:flag_id>/": ADMINS,
    "admin/agents/flag/<int:flag_id>/live/": ADMINS,
    "admin/agents/flag/<int:flag_id>/comparison/": ADMINS,
    "admin/agents/flag/<int:flag_id>/table/": ADMINS,
    "admin/agents/flag/<int:flag_id>/step/": ADMINS_POST,
    "admin/agents/flag/<int:flag_id>/stop/": ADMINS_POST,
    "admin/agents/flag/<int:flag_id>/release/": ADMINS_POST,
    "admin/agents/flag/<int:flag_id>/mode/": ADMINS_POST,
    "admin/agents/flag/<int:flag_id>/plan/": ADMINS_POST,
    "admin/agents/flag/<int:flag_id>/plans/<int:plan_id>/cancel/": ADMINS_POST,
    "admin/agents/routedmessage/disagreements/": ADMINS,
    "admin/agents/promptversion/": ADMINS,
    "admin/agents/promptversion/<slug:name>/": ADMINS,
    "admin/agents/promptversion/<slug:name>/restore/": Rule(
        anonymous="sign-in", owner="404", others="404", method="post"
    ),
    "admin/agents/promptversion/<slug:name>/try/": Rule(anonymous="sign-in", owner="404", others="404", method="post"),
    "admin/r/<path:content_type_id>/<path:object_id>/": NO_ADMINS_EITHER,
    "admin/^(?P<app_label>django_tasks_database|accounts|conversations|lti|agents|tutoring)/$": ADMINS,
    "admin/(?P<url>.*)$": NO_ADMINS_EITHER,
}
SOCKETS = {
    "round-table/<uuid:table>/live": "an own table's page: closed with 4404 for any other",
    "live/<path:key>": "an own session's page: closed with 4404 for any other",
    "v2/ws/<path:key>": "a session of that name of one's own, begun by its first message",
    "ws/<path:key>": "as v2/ws/",
    "": "closed with 4404",
}
FRAMES = {
    "message": "goes to a session of one's own",
    "stop": "own turns of this session",
    "resume": "own turns of this session",
    "seen": "turns that this socket was sent",
    "ping": "anybody signed in",
    "text": "goes to a session of one's own",
    "audio": "as text",
    "end": "a session of one's own",
}

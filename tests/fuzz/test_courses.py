"""Any course that participants may take: pages and answers in any order, repeated, late, made up or of somebody else.

No order is a fault of the server, loses a stored answer, stores one twice, or shows one person what is another's.
"""

import re

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from damage import examples
from study_servers import SECRET, running

pytestmark = pytest.mark.fuzz

PEOPLE = 3
ADMIN = {"Authorization": f"Bearer {SECRET}"}
MEDIA = re.compile(r"/media/([\w-]{43})")
CODES = re.compile("DONE1|FAIL2")
MADE_UP = "m" * 43
person = st.integers(0, PEOPLE - 1)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("study"), comment=True, show_score=True) as it:
        yield it


class Someone:
    """A participant, what only they may see, and what they were told is stored."""

    def __init__(self, server, at):
        self.server, self.at = server, at
        self.browser = server.participant()
        self.session, self.deleted = "", False
        self.trial = None  # as it was sent last
        self.tokens, self.media, self.marks = [], [], [f"mark-of-{at}"]
        self.stored = {}  # token → key and answer

    def ask(self, reply):
        """Note what came, whatever it is a reply to."""
        assert reply.status_code < 500, reply.text
        assert "Traceback" not in reply.text
        held = self.browser.browser.cookies.get("beholder_session")
        if held and not self.session:
            self.session = self.server.store.keys.signed("session", held, now=self.server.clock())[1]
            self.marks += [held, self.session]
        if self.session:
            self.marks.append(self.browser.csrf)
        if reply.headers.get("content-type") == "application/json" and reply.status_code == 200:
            said = reply.json()
            self.learn(said.get("next", said))
        if CODES.search(reply.text):
            assert len(self.stored) == self.many(), "a code before all is answered"
        return reply

    def learn(self, onward):
        self.trial = onward.get("trial")
        if self.trial:
            self.tokens.append(self.trial["token"])
            self.media += MEDIA.findall(str(self.trial))

    def many(self):
        rows = self.server.store.tables("gaze")["trials"]
        return sum(row["session"] == self.session for row in rows)

    def own(self):
        """What nobody else may be shown."""
        return {*self.marks, *self.tokens, *self.media} - {""}


class Courses(RuleBasedStateMachine):
    def __init__(self, server):
        super().__init__()
        self.server = server
        self.people = [Someone(server, at) for at in range(PEOPLE)]
        self.sent = []  # bodies of answers, by whomever

    # What is right at this time

    @initialize(far=st.tuples(*[st.integers(0, 14)] * PEOPLE))
    def begin(self, far):
        for who, steps in enumerate(far):
            self.onward(who, steps)

    @rule(who=person, steps=st.integers(1, 5))
    def onward(self, who, steps):
        if self.people[who].deleted:  # with their cookie nobody gets further
            self.people[who] = Someone(self.server, who)
        for _ in range(steps):
            self.step(self.people[who])
            self.check(who)

    def step(self, one):
        """What the page that they see leads to."""
        browser = one.browser
        if not one.session:
            one.ask(browser.enter())
            return
        shown = one.ask(browser.get("/go"))
        form = re.search(r'action="/s/gaze/(\w+)"', shown.text)
        where = form[1] if form else ""
        if where == "consent":
            one.ask(browser.post("/consent", agree="yes", hash=self.server.study.study.consent.hash))
        elif where == "form":
            one.ask(browser.post("/form", form_education="a", form_knowledge="4"))
        elif where in ("device", "instructions"):
            one.ask(browser.post(f"/{where}"))
        elif where == "withdraw" and one.ask(browser.get("/api/next")).status_code == 200 and one.trial:
            self.answer(one, {"token": one.trial["token"], "key": f"key-{len(self.sent):016}", "value": "no"}, 60)

    # What need not be

    @rule(who=person, path=st.sampled_from(["/", "/go", "/done", "/api/next"]))
    def look(self, who, path):
        self.people[who].ask(self.people[who].browser.get(path))
        self.check(who)

    @rule(who=person)
    def enter(self, who):
        self.people[who].ask(self.people[who].browser.enter())
        self.check(who)

    @rule(
        who=person,
        path=st.sampled_from(["/enter", "/consent", "/form", "/device", "/instructions", "/comment"]),
        agree=st.sampled_from(["yes", "yes", "yes", "no", ""]),
        known=st.booleans(),
        whose=st.none() | person,
    )
    def post(self, who, path, agree, known, whose):
        """Any form at any time, now and then with somebody else's mark; a person's own words stand in it."""
        one = self.people[who]
        mark = f"mark-of-{who}"
        fields = {"agree": agree, "hash": self.server.study.study.consent.hash, "comment": mark}
        fields |= {"form_education": "b" if known else mark, "form_knowledge": "1"}
        if whose is not None:
            fields["csrf"] = self.people[whose].browser.csrf
        reply = one.ask(one.browser.post(path, **fields))
        if path != "/enter" and whose not in (None, who) and self.people[whose].browser.csrf != one.browser.csrf:
            assert reply.status_code in (401, 403, 404)
        self.check(who, fields.values())

    @rule(who=person, sure=st.sampled_from(["yes", "yes", ""]))
    def withdraw(self, who, sure):
        """Who has finished keeps their answers; whose have been deleted, the store says."""
        one = self.people[who]
        one.ask(one.browser.post("/withdraw", sure=sure))
        if sure and self.outcome(one) == "withdrawn":
            one.stored.clear()
        self.check(who)

    @rule(
        who=person,
        which=st.integers(0, 30),
        whose=person,
        key=st.none() | st.integers(0, 30),
        value=st.sampled_from(["yes", "no", "perhaps"]),
        wait=st.sampled_from([0, 60]),
    )
    def answer_something(self, who, which, whose, key, value, wait):
        """To any trial that anybody was shown or that is none, with a new key or one that was used."""
        tokens = [MADE_UP, *self.people[whose].tokens]
        keys = [f"key-{len(self.sent):016}"] if key is None else [body["key"] for body in self.sent] or ["k" * 16]
        body = {"token": tokens[-1 - which % len(tokens)], "key": keys[(key or 0) % len(keys)], "value": value}
        self.answer(self.people[who], body, wait)
        self.check(who, body.values())

    @rule(who=person, which=st.integers(0, 30), own=st.booleans(), instead=st.sampled_from(["", "value", "key"]))
    def answer_again(self, who, which, own, instead):
        """The very same once more, another answer in its place, or what somebody else sent."""
        one = self.people[who]
        stored = [{"token": token, "key": key, "value": value} for token, (key, value) in one.stored.items()]
        if bodies := stored if own else self.sent:
            body = dict(bodies[-1 - which % len(bodies)])
            if instead == "value":
                body["value"] = "yes" if body["value"] == "no" else "no"
            elif instead == "key":
                body["key"] += "x"
            self.answer(one, body, 0)
            self.check(who, body.values())

    def answer(self, one, body, wait):
        self.server.clock.now += wait
        self.sent.append(body)
        trial, given = body["token"], (body["key"], body["value"])
        values = {"human": body["value"]}
        reply = one.browser.send("/api/answer", {"token": trial, "key": body["key"], "values": values})
        if reply.status_code == 200:
            assert trial in one.tokens
            assert one.stored.setdefault(trial, given) == given, "two answers were taken"
        one.ask(reply)

    @rule(who=person, whose=person, which=st.integers(0, 30))
    def media(self, who, whose, which):
        addresses = [MADE_UP, *self.people[whose].media]
        address = addresses[-1 - which % len(addresses)]
        reply = self.people[who].browser.get(f"/media/{address}")
        assert reply.status_code < 500
        if reply.status_code == 200:
            assert address in self.people[who].media

    @rule(who=person)
    def event(self, who):
        self.people[who].ask(self.people[who].browser.send("/api/event", {"what": "seen", "detail": f"mark-of-{who}"}))
        self.check(who)

    @rule(hours=st.sampled_from([0.1, 1, 20, 25, 200]))
    def wait(self, hours):
        self.server.clock.now += hours * 3600

    @rule(who=person, verb=st.sampled_from(["reject", "delete"]))
    def close(self, who, verb):
        """By those who run the study."""
        one = self.people[who]
        reply = self.server.browser().post(f"/admin/gaze/{verb}", data={"session": one.session}, headers=ADMIN)
        assert reply.status_code in (303, 404)
        if verb == "delete" and reply.status_code == 303:
            one.stored.clear()
            one.deleted = True
        self.check(who)

    def outcome(self, one):
        return next((row["outcome"] for row in self.server.store.sessions("gaze") if row["id"] == one.session), "")

    def check(self, who, sent=()):
        """What was shown is the person's own, and what is stored is what people were told is."""
        others = {word for one in self.people if one.at != who for word in one.own()} - set(sent)
        for reply in self.people[who].browser.responses:
            assert not [word for word in others if word in reply.text]
        self.people[who].browser.responses.clear()
        tables = self.server.store.tables("gaze")
        tokens = {(row["session"], row["position"]): row["token"] for row in tables["trials"]}
        found = [
            (row["session"], tokens[row["session"], row["position"]], row["key"], row["values"]["human"])
            for row in tables["answers"]
        ]
        told = [(one.session, token, *given) for one in self.people for token, given in one.stored.items()]
        assert sorted(found) == sorted(told)

    def teardown(self):
        for row in self.server.store.sessions("gaze"):
            self.server.store.delete(row["id"])


def test_no_course_harms_the_server_or_what_is_stored(server):
    few = settings(examples(12), stateful_step_count=25)
    run_state_machine_as_test(lambda: Courses(server), settings=few)

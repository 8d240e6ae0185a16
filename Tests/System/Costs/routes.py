"""Each route of the interface: what grows, what is charged, and a request to it."""

import datetime

from world import SIZES

ACCOUNTS, API = "/api/accounts/v1", "/api/v1"
#: The limits that several rows have: what the account and what the address pays with.
BY_ADDRESS = "600 requests"
SIGN_UP, SIGN_IN = "600 requests, 30 sign-ups", "600 requests, 30 failures (10 of an email)"
RECORDS, BOARDS, EVENTS = "600 requests of records", "60 requests of boards", "120 requests of events"


class Route:
    """A row of the table.

    `grows` says what has n and 4n of something. `account` and `address` say what is charged in a minute. `request`
    takes the scene and the index of the size, and makes one request; one that `ends` something is made once.
    """

    def __init__(self, grows, account, address, request, ends=False, hashes=False):
        self.grows, self.account, self.address = grows, account, address
        self.request, self.repeats = request, 1 if ends or hashes else 5


class Scene:
    """Accounts of both sizes, and what the routes need beside them."""

    def __init__(self, world, account, sizes):
        self.world, self.ids = world, 0
        self.main = [account(world).fill(size) for size in sizes]
        self.named = [account(world).fill(size).sign_up() for size in sizes]
        self.ending = {
            name: [account(world).fill(size) for size in sizes]
            for name in ("deleteAccount", "moveAccount", "revoke", "revokeAll", "upgrade")}
        self.ending["push"] = [account(world), account(world)]
        now = datetime.datetime.now(datetime.timezone.utc)
        for index, size in enumerate(sizes):
            start = (now - datetime.timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
            end = (now + datetime.timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
            world.operate("event", "define", f"event{index}", "--bank", f"int/bank{index}", "--start", start, "--end", end)
            for number in range(size // 100):
                learner = account(world)
                learner.send("POST", f"{API}/events/event{index}/submissions", {"id": "a", "points": number + 1})
        world.operate("board", "define", "board", "--bank", "int/bank0", "--zone", "UTC")
        world.operate("board", "refresh")
        for user in (self.main[0].user, self.main[1].user):
            world.operate("role", "grant", user, "administrator")

    def next_id(self):
        self.ids += 1
        return f"submission-{self.ids}"

    def get(self, path, **named):
        return lambda scene, index: scene.main[index].send("GET", path.format(index=index), **named)


def routes(scene):
    """All rows by the id of their operation."""
    world, main, named, ending = scene.world, scene.main, scene.named, scene.ending
    get = scene.get
    answers = "the account's answers, records and devices"

    def post(path, body=None, accounts=main):
        return lambda _, index: accounts[index].send("POST", path, body(index) if callable(body) else body)

    def refresh(_, index):
        account = named[index]
        reply = world.expect("POST", f"{ACCOUNTS}/refresh", {"refresh_token": account.tokens["refresh_token"]})
        account.tokens = reply.json
        return reply

    def stream(_, index):
        """The head and the first frame; the client leaves then."""
        return world.first_bytes(f"{API}/events/event{index}/stream", main[index].token)

    def record(method, body=None):
        def request(_, index):
            account = main[index]
            path = f"{API}/collections/favourites/r7"
            current = account.send("GET", path)
            return account.send(method, path, body, headers={"If-Match": current.headers["ETag"]})
        return request

    def pull(_, index):
        """A new device of the account, which has nothing."""
        return main[index].another_device().exchange()

    def push(_, index):
        account = pushing[index]
        return account.exchange(
            answers=account.run(SIZES[index] // 4),
            operations=[account.put(f"p{account.operations}") for _ in range(SIZES[index] // 40)])

    def move(_, index):
        """The requests of a whole move into a new account."""
        former, account = ending["moveAccount"][index], world.account()
        while True:
            reply = account.send("POST", f"{ACCOUNTS}/move", {
                "from": former.user, "proof": former.tokens["refresh_token"]})
            if reply.json["state"] == "moved":
                return reply

    pushing = ending["push"]
    exchanges = ("240 requests", "16 MiB of bodies at once")
    return {
        "exchange": Route("what the device lacks", *exchanges, pull),
        "exchange: sending": Route("what the device sends", *exchanges, push),
        "export": Route(answers, "10 requests, 100,000 rows", "600 requests, 400,000 rows, 4 at once", get(f"{ACCOUNTS}/export")),
        "progress": Route(answers, "60 requests of progress", "–", get(f"{API}/progress")),
        "listRecords": Route(answers, RECORDS, "–", get(f"{API}/collections/favourites")),
        "readRecord": Route(answers, RECORDS, "–", get(f"{API}/collections/favourites/r7")),
        "putRecord": Route(answers, RECORDS, "–", record("PUT", {"fields": {"bank": "int/bank0", "note": "x"}})),
        "deleteRecord": Route(answers, RECORDS, "–", record("DELETE"), ends=True),
        "listDevices": Route(answers, RECORDS, BY_ADDRESS, get(f"{ACCOUNTS}/devices")),
        "forgetDevice": Route(answers, RECORDS, BY_ADDRESS, lambda _, index: main[index].send(
            "DELETE", f"{ACCOUNTS}/devices/{main[index].device}"), ends=True),
        "listWays": Route(answers, RECORDS, BY_ADDRESS, get(f"{ACCOUNTS}/ways")),
        "makeAnonymousAccount": Route("–", "–", SIGN_UP, lambda _, index: world.expect(
            "POST", f"{ACCOUNTS}/anonymous")),
        "refresh": Route(answers, "–", BY_ADDRESS + ", 240 renewals", refresh),
        "revoke": Route(answers, "–", BY_ADDRESS, lambda _, index: world.expect(
            "POST", f"{ACCOUNTS}/revoke",
            {"refresh_token": ending["revoke"][index].tokens["refresh_token"]}), ends=True),
        "revokeAll": Route(answers, RECORDS, BY_ADDRESS, post(f"{ACCOUNTS}/revoke-all", accounts=ending["revokeAll"]), ends=True),
        "deleteAccount": Route(answers, RECORDS, BY_ADDRESS, lambda _, index: ending["deleteAccount"][index].send(
            "DELETE", f"{ACCOUNTS}/account"), ends=True),
        "moveAccount": Route(answers, RECORDS, BY_ADDRESS + ", 240 moves", move, ends=True),
        "upgrade": Route(answers, RECORDS, SIGN_UP, post(f"{ACCOUNTS}/upgrade", lambda index: {
            "email": f"up{index}@example.org", "password": "correct horse battery"}, ending["upgrade"]), ends=True, hashes=True),
        "signIn": Route(answers, "–", SIGN_IN, lambda _, index: world.expect("POST", f"{ACCOUNTS}/sign-in", {
            "email": named[index].email, "password": "correct horse battery"}), hashes=True),
        "signInExternally": Route("–", "–", SIGN_IN, lambda _, index: world.send(
            "POST", f"{ACCOUNTS}/external", {"token": "a.b.c"})),
        "removeWay": Route(answers, RECORDS, BY_ADDRESS, lambda _, index: world.send(
            "POST", f"{ACCOUNTS}/ways/remove", {"way": "none"}, token=named[index].token)),
        "requestVerification": Route(answers, RECORDS + ", 5 codes an hour", BY_ADDRESS, lambda _, index: world.send(
            "POST", f"{ACCOUNTS}/email/request-verification", token=named[index].token)),
        "verifyEmail": Route(answers, RECORDS, SIGN_IN, lambda _, index: world.send(
            "POST", f"{ACCOUNTS}/email/verify", {"code": "000000"}, token=named[index].token)),
        "requestPasswordReset": Route(answers, "–", "600 requests, 30 resets; 5 codes an hour", lambda _, index: world.send(
            "POST", f"{ACCOUNTS}/password/request-reset", {"email": named[index].email})),
        "resetPassword": Route(answers, "–", SIGN_IN, lambda _, index: world.send(
            "POST", f"{ACCOUNTS}/password/reset", {
                "email": named[index].email, "code": "000000", "password": "another horse battery"}), hashes=True),
        "profile": Route(answers, BOARDS, "–", get(f"{API}/profile")),
        "setProfile": Route(answers, BOARDS, "–", lambda _, index: main[index].send(
            "PUT", f"{API}/profile", {"name": f"Ada{index}", "isListed": True})),
        "boards": Route("–", BOARDS, "–", get(f"{API}/boards")),
        "board": Route(answers, BOARDS, "–", get(f"{API}/boards/board/week")),
        "listEvents": Route("–", EVENTS, "–", get(f"{API}/events")),
        "event": Route("the event's learners", EVENTS, "–", get(f"{API}/events/event{{index}}")),
        "watchEvent": Route("the event's learners", EVENTS + ", 5 streams", "–", stream),
        "submitToEvent": Route("the event's learners", EVENTS, "–", lambda scene, index: main[index].send(
            "POST", f"{API}/events/event{index}/submissions", {"id": scene.next_id(), "points": 1})),
        "listExamQuestions": Route("the bank's questions", "–", "600 requests", get(
            f"{API}/exams/int/bank{{index}}/questions")),
        "listExamChanges": Route("the bank's questions", "–", "600 requests", lambda _, index: world.send(
            "GET", f"{API}/exams/int/bank{index}/changes")),
        "audit": Route("–", "60 requests of operators", "–", get("/api/operations/v1/audit")),
        "uptake": Route("–", "60 requests of operators", "–", get("/api/operations/v1/uptake")),
    }

console.log("gatehouse");
